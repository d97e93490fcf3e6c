/**
 * The same envelopes, as JSON over HTTP and straight into the pipeline, get the same Acks: the door adds no rule and
 * loses none.
 */
import {
  Control,
  type Envelope,
  HANDOFF_MODE,
  type JsonObject,
  type PayloadByType,
  type PayloadType,
} from '@handover/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../node-codec.js';
import { asJson, createHarness, type Harness, SESSION } from './http-harness.test.helper.js';
import { ackToJson } from './json.js';

const AGENTS = ['alice', 'bob', 'carol', 'mallory'] as const;
const agent = fc.constantFrom(...AGENTS);
const sessionId = fc.constantFrom(SESSION, SESSION.replace('0191', '0192'), 'short', '');
const handoffId = fc.constantFrom('h1', 'h2', '');
const reason = fc.constantFrom('', 'because');

/** Mostly what the protocol wants at some moment, sometimes anything. */
const PAYLOADS: { readonly [T in PayloadType]?: fc.Arbitrary<PayloadByType[T]> } = {
  SessionStart: fc.record({
    intent: reason,
    participants: fc.constantFrom(['alice', 'bob', 'carol'], ['bob'], [], ['bob', 'bob']),
    modeVersion: fc.constantFrom('1.0.0', '1.0.0', '2'),
    configurationVersion: fc.constantFrom('c1', ''),
    policyVersion: fc.constantFrom('', '', 'unknown'),
    ttlMs: fc.constantFrom(60_000, 1_000, 0, -1, Number.MAX_SAFE_INTEGER),
    roots: fc.constantFrom([], [{ uri: 'file:///x', name: '' }]),
    contextId: fc.constantFrom('', 'ctx'),
    extensions: fc.constantFrom({}, { note: new Uint8Array([1, 2]) }, { 'handover.x': new Uint8Array() }),
    maxSuspendMs: fc.constantFrom(0, 5_000, -1),
  }),
  HandoffOffer: fc.record({ handoffId, targetParticipant: agent, scope: fc.constantFrom('all', ''), reason }),
  HandoffContext: fc.record({
    handoffId,
    contentType: fc.constantFrom('text/plain', ''),
    context: fc.uint8Array({ maxLength: 8 }),
  }),
  HandoffAccept: fc.record({ handoffId, acceptedBy: agent, reason, implicit: fc.boolean() }),
  HandoffDecline: fc.record({ handoffId, declinedBy: agent, reason }),
  Commitment: fc.record({
    commitmentId: fc.constantFrom('k1', ''),
    action: fc.constantFrom('handoff.accepted', 'handoff.declined', ''),
    authorityScope: fc.constantFrom('all', ''),
    reason,
    modeVersion: fc.constantFrom('1.0.0', '2'),
    policyVersion: fc.constantFrom('', 'policy.default'),
    configurationVersion: fc.constantFrom('c1', ''),
    outcomePositive: fc.boolean(),
  }),
  Signal: fc.record({
    signalType: fc.constantFrom('ping', ''),
    data: fc.uint8Array({ maxLength: 4 }),
    confidence: fc.constantFrom(0, 0.5, Number.NaN),
    correlationSessionId: fc.constant(''),
  }),
  SessionCancel: fc.record({ reason, cancelledBy: agent }),
};

const messageId = fc.oneof(
  { weight: 6, arbitrary: fc.nat(8).map((n) => `m${n}`) },
  { weight: 1, arbitrary: fc.constantFrom('', 'runtime:x:1', 'implicit-accept:h1', 'a\nb', 'é'.repeat(200)) },
);
const timestampUnixMs = fc.constantFrom(0, 1_700_000_000_000, 1_600_000_000_000, 253_402_300_799_999);

const known = fc.constantFrom(...(Object.keys(PAYLOADS) as PayloadType[])).chain((type) =>
  fc.tuple(
    fc.constant<string>(type),
    (PAYLOADS[type] as fc.Arbitrary<never>).map((payload) => codec.encode(type, payload)),
  ),
);
const foreign = fc.tuple(fc.constantFrom('Note', '', 'HandoffOffer'), fc.uint8Array({ maxLength: 6 }));

const sent = fc.tuple(fc.oneof({ weight: 8, arbitrary: known }, foreign)).chain(([[messageType, payload]]) =>
  fc.record({
    kind: fc.constant('envelope' as const),
    as: agent,
    envelope: fc.record({
      macpVersion: fc.constantFrom('1.0', '1.0', '1.0', '2.0'),
      mode: fc.constantFrom(HANDOFF_MODE, HANDOFF_MODE, HANDOFF_MODE, '', 'macp.mode.task.v1'),
      messageType: fc.constant(messageType),
      messageId,
      sessionId: fc.oneof({ weight: 5, arbitrary: fc.constant(SESSION) }, sessionId),
      sender: fc.constantFrom('', '', 'alice'),
      timestampUnixMs,
      payload: fc.constant(payload),
    }),
  }),
);
const steered = fc.record({
  kind: fc.constant('control' as const),
  as: agent,
  control: fc.constantFrom(...Object.values(Control)),
  reason,
});
const waited = fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 700, 70_000) });
type Step =
  | { readonly kind: 'envelope'; readonly as: string; readonly envelope: Envelope }
  | { readonly kind: 'control'; readonly as: string; readonly control: Control; readonly reason: string }
  | { readonly kind: 'wait'; readonly ms: number };

/** Begins as a handoff does, so that what follows meets every state. */
const opening: readonly Step[] = [start(), offer()];
const trace = fc.tuple(
  fc.nat(opening.length),
  fc.array(fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>({ weight: 10, arbitrary: sent }, steered, waited), {
    maxLength: 25,
  }),
);

describe('HTTP and the pipeline', () => {
  it('answer every trace alike', async () => {
    let accepted = 0;
    const codes = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(trace, async ([prefix, steps]) => {
        const [http, direct] = [createHarness(), createHarness()];
        for (const step of [...opening.slice(0, prefix), ...steps]) {
          const answers = [await overHttp(http, step), await straight(direct, step)] as const;
          expect(answers[0]).toEqual(answers[1]);
          if (answers[0]?.ok === true) accepted++;
          codes.add((answers[0]?.error as JsonObject | undefined)?.code);
        }
      }),
      { numRuns: 200 },
    );
    // Otherwise the traces would prove little.
    expect(accepted).toBeGreaterThan(200);
    for (const code of [
      'FORBIDDEN',
      'INVALID_ENVELOPE',
      'SESSION_NOT_FOUND',
      'SESSION_NOT_OPEN',
      'UNAUTHENTICATED',
    ])
      expect(codes).toContain(code);
  });
});

async function overHttp({ request, clock }: Harness, step: Step): Promise<JsonObject | undefined> {
  switch (step.kind) {
    case 'envelope': {
      const answer = await request('/macp/envelope', { as: step.as, body: asJson(step.envelope) });
      return (await answer.json()) as JsonObject;
    }
    case 'control': {
      const body = { reason: step.reason };
      const answer = await request(`/macp/session/${SESSION}/${step.control}`, { as: step.as, body });
      return (await answer.json()) as JsonObject;
    }
    case 'wait':
      clock.now += step.ms;
      return undefined;
  }
}

async function straight({ runtime, clock, parts }: Harness, step: Step): Promise<JsonObject | undefined> {
  switch (step.kind) {
    case 'envelope': {
      const credentials = { authorization: `Bearer ${step.as}` };
      return ackToJson(await runtime.send.send(credentials, step.envelope, 'test'), codec);
    }
    case 'control': {
      const known = await parts.authenticator.authenticate({ authorization: `Bearer ${step.as}` });
      if (!known.ok) throw new Error(known.message);
      const { control, reason } = step;
      const outcome = await runtime.sessions.control(known.principal, SESSION, control, reason);
      if ('value' in outcome) return ackToJson(outcome.value, codec);
      const { code, message } = outcome.rejection;
      return {
        ok: false,
        duplicate: false,
        message_id: '',
        session_id: SESSION,
        accepted_at_unix_ms: clock.now,
        session_state: 'SESSION_STATE_UNSPECIFIED',
        error: { code, message, session_id: SESSION, message_id: '', details: '' },
      };
    }
    case 'wait':
      clock.now += step.ms;
      return undefined;
  }
}

function envelope(messageType: string, payload: Uint8Array): Envelope {
  return {
    macpVersion: '1.0',
    mode: HANDOFF_MODE,
    messageType,
    messageId: `opening-${messageType}`,
    sessionId: SESSION,
    sender: '',
    timestampUnixMs: 0,
    payload,
  };
}

function start(): Step {
  const payload = codec.encode('SessionStart', {
    intent: '',
    participants: ['alice', 'bob', 'carol'],
    modeVersion: '1.0.0',
    configurationVersion: 'c1',
    policyVersion: '',
    ttlMs: 60_000,
    roots: [],
    contextId: '',
    extensions: {},
    maxSuspendMs: 0,
  });
  return { kind: 'envelope', as: 'alice', envelope: envelope('SessionStart', payload) };
}

function offer(): Step {
  const payload = codec.encode('HandoffOffer', {
    handoffId: 'h1',
    targetParticipant: 'bob',
    scope: 'all',
    reason: '',
  });
  return { kind: 'envelope', as: 'alice', envelope: envelope('HandoffOffer', payload) };
}
