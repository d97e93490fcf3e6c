/**
 * The same envelopes, as JSON over HTTP and straight into the service, get the same Acks: the door adds no rule and
 * loses none.
 */
import {
  type Control,
  type Envelope,
  envelopeToJson,
  HANDOFF_MODE,
  type JsonObject,
  type PayloadsIn,
  payloadKind,
} from '@handover/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelope, startPayload } from '../../../../../test/kit/envelopes.js';
import { nodeCodec as codec } from '../../platform/node-codec.js';
import { createHarness, type Harness } from './http-harness.test.helper.js';
import { SESSION } from './json-messages.test.helper.js';
import { ackToJson } from './translate.js';

/** Usually the first value, now and then one of the others. */
const mostly = <T>(usual: T, ...odd: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(...odd));

const AGENTS = ['alice', 'bob', 'carol', 'mallory'] as const;
const agent = fc.constantFrom(...AGENTS);
const sessionId = mostly(SESSION, SESSION.replace('0191', '0192'), 'short', '');
const handoffId = mostly('h1', 'h2', '');
const reason = fc.constantFrom('', 'because');

/** Usually a payload that the protocol accepts at some moment, sometimes any other. */
type Payloads = PayloadsIn<typeof HANDOFF_MODE>;
const PAYLOADS: { readonly [T in keyof Payloads]?: fc.Arbitrary<Payloads[T]> } = {
  SessionStart: fc.record({
    intent: reason,
    participants: fc.constantFrom(['alice', 'bob', 'carol'], ['bob'], [], ['bob', 'bob']),
    modeVersion: mostly('1.0.0', '2'),
    configurationVersion: mostly('c1', ''),
    policyVersion: mostly('', 'unknown'),
    ttlMs: fc.constantFrom(60_000, 1_000, 0, -1, Number.MAX_SAFE_INTEGER),
    roots: fc.constantFrom([], [{ uri: 'file:///x', name: '' }]),
    contextId: fc.constantFrom('', 'ctx'),
    extensions: fc.constantFrom({}, { note: new Uint8Array([1, 2]) }, { 'handover.x': new Uint8Array() }),
    maxSuspendMs: fc.constantFrom(0, 5_000, -1),
  }),
  HandoffOffer: fc.record({ handoffId, targetParticipant: agent, scope: mostly('all', ''), reason }),
  HandoffContext: fc.record({
    handoffId,
    contentType: mostly('text/plain', ''),
    context: fc.uint8Array({ maxLength: 8 }),
  }),
  HandoffAccept: fc.record({
    handoffId,
    acceptedBy: mostly<string>('bob', ...AGENTS),
    reason,
    implicit: fc.boolean(),
  }),
  HandoffDecline: fc.record({ handoffId, declinedBy: mostly<string>('bob', ...AGENTS), reason }),
  Commitment: fc.record({
    commitmentId: mostly('k1', ''),
    action: mostly('handoff.accepted', 'handoff.declined', ''),
    authorityScope: mostly('all', ''),
    reason: mostly('because', ''),
    modeVersion: mostly('1.0.0', '2'),
    policyVersion: mostly('', 'policy.default'),
    configurationVersion: mostly('c1', ''),
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
  { weight: 6, arbitrary: fc.nat(40).map((n) => `m${n}`) },
  { weight: 1, arbitrary: fc.constantFrom('', 'runtime:x:1', 'implicit-accept:h1', 'a\nb', 'é'.repeat(200)) },
);
const timestampUnixMs = fc.constantFrom(0, 1_700_000_000_000, 1_600_000_000_000, 253_402_300_799_999);

const known = fc.constantFrom(...(Object.keys(PAYLOADS) as (keyof Payloads)[])).chain((type) =>
  fc.tuple(
    fc.constant<string>(type),
    (PAYLOADS[type] as fc.Arbitrary<never>).map((payload) =>
      codec.encode(payloadKind(HANDOFF_MODE, type), payload),
    ),
  ),
);
const foreign = fc.tuple(fc.constantFrom('Note', '', 'HandoffOffer'), fc.uint8Array({ maxLength: 6 }));

const sent = fc.oneof({ weight: 8, arbitrary: known }, foreign).chain(([messageType, payload]) => {
  const ambient = messageType === 'Signal';
  return fc.record({
    kind: fc.constant('envelope' as const),
    as: mostly<string>(/Accept|Decline/.test(messageType) ? 'bob' : 'alice', ...AGENTS),
    envelope: fc.record({
      macpVersion: mostly('1.0', '2.0'),
      mode: mostly<string>(ambient ? '' : HANDOFF_MODE, '', 'macp.mode.task.v1'),
      messageType: fc.constant(messageType),
      messageId,
      sessionId: ambient ? mostly('', SESSION) : sessionId,
      sender: mostly('', 'alice'),
      timestampUnixMs,
      payload: fc.constant(payload),
    }),
  });
});
const steered = fc.record({
  kind: fc.constant('control' as const),
  as: mostly<string>('alice', ...AGENTS),
  control: fc.constantFrom<Control>('suspend', 'resume', 'suspend', 'resume', 'resume', 'cancel'),
  reason,
});
const again = fc.constant({ kind: 'again' as const });
const waited = fc.record({ kind: fc.constant('wait' as const), ms: mostly(5, 700, 70_000) });
type Act =
  | { readonly kind: 'envelope'; readonly as: string; readonly envelope: Envelope }
  | { readonly kind: 'control'; readonly as: string; readonly control: Control; readonly reason: string }
  | { readonly kind: 'wait'; readonly ms: number };
/** `again`: the last envelope once more. */
type Step = Act | { readonly kind: 'again' };

/** A trace begins like a handoff, so that its later steps meet every state. */
const opening: readonly [Act, ...Act[]] = [start(), offer()];
const trace = fc.tuple(
  mostly(2, 0, 1),
  fc.array(
    fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>({ weight: 10, arbitrary: sent }, steered, waited, again),
    {
      minLength: 12,
      maxLength: 25,
    },
  ),
);

const MET = [
  ...[
    'SessionStart',
    'HandoffOffer',
    'HandoffContext',
    'HandoffAccept',
    'HandoffDecline',
    'Signal',
    'control',
  ],
  ...[
    'FORBIDDEN',
    'INVALID_ENVELOPE',
    'SESSION_NOT_FOUND',
    'SESSION_NOT_OPEN',
    'UNAUTHENTICATED',
    'duplicate',
  ],
];

describe('HTTP and the service', () => {
  it('answer every trace alike', async () => {
    const tally = new Map<unknown, number>();
    const count = (what: unknown) => tally.set(what, (tally.get(what) ?? 0) + 1);
    await fc.assert(
      fc.asyncProperty(trace, async ([prefix, steps]) => {
        const [http, direct] = [createHarness(), createHarness()];
        let last: Act = opening[0];
        for (const next of [...opening.slice(0, prefix), ...steps]) {
          const step = next.kind === 'again' ? last : next;
          if (step.kind === 'envelope') last = step;
          const answer = await overHttp(http, step);
          expect(answer).toEqual(await straight(direct, step));
          if (answer?.duplicate === true) count('duplicate');
          else if (answer?.ok === true)
            count(step.kind === 'envelope' ? step.envelope.messageType : step.kind);
          else count((answer?.error as JsonObject | undefined)?.code);
        }
      }),
      { numRuns: 100 },
    );
    // If the traces did not meet all of these, they would prove little.
    expect([...tally.keys()]).toEqual(expect.arrayContaining(MET));
  });
});

async function overHttp({ request, clock }: Harness, step: Act): Promise<JsonObject | undefined> {
  switch (step.kind) {
    case 'envelope': {
      const answer = await request('/macp/envelope', {
        as: step.as,
        body: envelopeToJson(step.envelope, codec),
      });
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

async function straight({ services, clock, deps }: Harness, step: Act): Promise<JsonObject | undefined> {
  switch (step.kind) {
    case 'envelope': {
      const credentials = { authorization: `Bearer ${step.as}` };
      return ackToJson(await services.send.send(credentials, step.envelope, { door: 'test' }), codec);
    }
    case 'control': {
      const known = await deps.authenticator.authenticate({ authorization: `Bearer ${step.as}` });
      if (!known.ok) throw new Error(known.message);
      const { control, reason } = step;
      const outcome = await services.sessions.control(known.principal, SESSION, control, reason);
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

function byAlice<T extends keyof Payloads>(type: T, payload: Payloads[T]): Act {
  const sent = envelope(SESSION, '', type, payload, { messageId: `opening-${type}` });
  return { kind: 'envelope', as: 'alice', envelope: sent };
}

function start(): Act {
  const participants = ['alice', 'bob', 'carol'];
  return byAlice('SessionStart', startPayload({ intent: '', participants, configurationVersion: 'c1' }));
}

function offer(): Act {
  return byAlice('HandoffOffer', { handoffId: 'h1', targetParticipant: 'bob', scope: 'all', reason: '' });
}
