import { createCodec, pb } from '@handover/wire';
import { describe, expect, it } from 'vitest';
import { findPayload, type PayloadsIn } from '../../modes/find-payload.js';
import { HANDOFF_MODE } from '../../modes/handoff/messages.js';
import { handoffPayloads } from '../../modes/handoff/payloads.js';
import { corePayloads } from '../core-payload-table.js';
import { payloadFromJson, payloadToJson } from './payload-json.js';

const codec = createCodec({ sha256: () => '' });

type Schema = { readonly fields: readonly { readonly name: string }[] };
const SCHEMAS: Readonly<Record<keyof PayloadsIn<typeof HANDOFF_MODE>, Schema>> = {
  SessionStart: pb.SessionStartPayloadSchema,
  Commitment: pb.CommitmentPayloadSchema,
  SessionCancel: pb.SessionCancelPayloadSchema,
  SessionSuspend: pb.SessionSuspendPayloadSchema,
  SessionResume: pb.SessionResumePayloadSchema,
  Signal: pb.SignalPayloadSchema,
  Progress: pb.ProgressPayloadSchema,
  HandoffOffer: pb.handoff.HandoffOfferPayloadSchema,
  HandoffContext: pb.handoff.HandoffContextPayloadSchema,
  HandoffAccept: pb.handoff.HandoffAcceptPayloadSchema,
  HandoffDecline: pb.handoff.HandoffDeclinePayloadSchema,
};

describe('payloads in JSON', () => {
  it.each(Object.entries(SCHEMAS))('%s has the fields of its proto file, by their names', (type, schema) => {
    const names = schema.fields.map(({ name }) => name);
    expect([...(findPayload(HANDOFF_MODE, type)?.json.names ?? [])].sort()).toEqual(names.sort());
  });

  it('emits empty texts and zeros, and leaves out only a message that is not there', () => {
    const json = payloadToJson(
      corePayloads.Commitment,
      {
        commitmentId: 'c',
        action: '',
        authorityScope: '',
        reason: '',
        modeVersion: '1.0.0',
        policyVersion: '',
        configurationVersion: 'v',
        outcomePositive: false,
      },
      codec,
    );
    expect(json).toEqual({
      commitment_id: 'c',
      action: '',
      authority_scope: '',
      reason: '',
      mode_version: '1.0.0',
      policy_version: '',
      configuration_version: 'v',
      outcome_positive: false,
    });
  });

  it('says by which path it refuses', () => {
    const reading = payloadFromJson(corePayloads.SessionStart, { roots: [{ uri: 'a' }, { uri: 1 }] }, codec);
    expect(reading).toEqual({
      rejection: { code: 'INVALID_ENVELOPE', message: 'payload.roots[1].uri must be a string' },
    });
  });

  it('knows handoff messages in their own mode only, and Core messages in any', () => {
    expect(findPayload(HANDOFF_MODE, 'HandoffOffer')).toBe(handoffPayloads.HandoffOffer);
    expect(findPayload('ext.other.v1', 'HandoffOffer')).toBeUndefined();
    expect(findPayload('ext.other.v1', 'Commitment')).toBe(corePayloads.Commitment);
    expect(findPayload('', 'Signal')).toBe(corePayloads.Signal);
    for (const name of ['constructor', '__proto__', 'toString', '']) {
      expect(findPayload(HANDOFF_MODE, name)).toBeUndefined();
      expect(findPayload(name, 'HandoffOffer')).toBeUndefined();
    }
  });
});
