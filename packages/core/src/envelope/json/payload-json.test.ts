import { createCodec, pb } from '@handover/wire';
import { describe, expect, it } from 'vitest';
import { HANDOFF_MODE } from '../../modes/handoff/messages.js';
import type { PayloadType } from '../payloads.js';
import { PAYLOAD_KINDS, payloadFromJson, payloadToJson, payloadTypeOf } from './payload-json.js';

const codec = createCodec({ sha256: () => '' });

const SCHEMAS: Readonly<Record<PayloadType, { readonly fields: readonly { readonly name: string }[] }>> = {
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
    expect([...PAYLOAD_KINDS[type as PayloadType].names].sort()).toEqual(names.sort());
  });

  it('emits empty texts and zeros, and leaves out only a message that is not there', () => {
    const json = payloadToJson(
      'Commitment',
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
    const reading = payloadFromJson('SessionStart', { roots: [{ uri: 'a' }, { uri: 1 }] }, codec);
    expect(reading).toEqual({
      rejection: { code: 'INVALID_ENVELOPE', message: 'payload.roots[1].uri must be a string' },
    });
  });

  it('knows handoff messages in their own mode only, and Core messages in any', () => {
    expect(payloadTypeOf('HandoffOffer', HANDOFF_MODE)).toBe('HandoffOffer');
    expect(payloadTypeOf('HandoffOffer', 'ext.other.v1')).toBeUndefined();
    expect(payloadTypeOf('Commitment', 'ext.other.v1')).toBe('Commitment');
    expect(payloadTypeOf('Signal', '')).toBe('Signal');
    for (const name of ['constructor', '__proto__', 'toString', ''])
      expect(payloadTypeOf(name, HANDOFF_MODE)).toBeUndefined();
  });
});
