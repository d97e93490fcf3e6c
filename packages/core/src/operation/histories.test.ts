/**
 * review:E2. Ten thousand histories of random commands, of all families, at random times: whatever the order, status and
 * effect agree, every record ends by time alone, and deciding an entry again gives the same entry.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../../../test/kit/clock.js';
import { codec } from '../../../../test/kit/codec.js';
import { DeciderRun } from '../../../../test/kit/decider-run.js';
import { OperationEntryType, StreamKind, type StreamRef, verifyStream } from '../index.js';
import type { EntryHead } from '../log/entry.js';
import type { OperationCommand, Verdict } from './command.js';
import { operationDue } from './due.js';
import { operationDecider, presentOperation, type StoredOperation } from './operation-decider.js';
import type { ChainVerdict, OperationCommand as Rev1Command } from './rev1/command.js';
import { rev1Decider } from './rev1/rev1-decider.js';
import { isOver, type OperationState } from './state.js';
import {
  AskAnswer,
  ClaimKind,
  ClaimSource,
  Effect,
  Family,
  OperationStatus,
  ReasonCode,
  StepStatus,
  Verification,
} from './words.js';

const MINUTE = 60_000;
const NOTHING = new Uint8Array(0);
const CONTEXT = { codec: undefined as never, consulted: {} };
const STEPS = ['a', 'b'] as const;

const step = fc.constantFrom(...STEPS);
const value = fc.constantFrom('0x1', '0x2');
const askId = fc.constantFrom('ask_1', 'ask_2', 'ask_3', 'ask_4');
const VERDICTS: readonly Verdict[] = [
  'pending',
  'reorged',
  'shallow',
  'faster',
  'matched',
  'matched',
  'matched',
  'reverted',
  'replaced',
  'different',
  'aside',
];

/** The node had named the first as the next: of the second it is never known that it came to nothing. */
const sessionAsk = (sessionId: string) => ({
  session: { sessionId, owner: '0xa', permitExpiry: 1 },
  nextSession: '1',
});

const command: fc.Arbitrary<OperationCommand> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ id: askId, step, session: fc.constantFrom(undefined, '1', '2') }).map(
      ({ id, step: one, session }): OperationCommand => ({
        kind: 'ask',
        ask: { id, steps: [one], ...(session !== undefined && sessionAsk(session)) },
      }),
    ),
  },
  fc
    .record({
      ask: askId,
      answer: fc.constantFrom(
        AskAnswer.Refused,
        AskAnswer.NotOpened,
        AskAnswer.Unclear,
        AskAnswer.SaidNotSigned,
      ),
    })
    .map(({ ask, answer }): OperationCommand => ({ kind: 'answer', ask, answer, payload: NOTHING })),
  {
    weight: 4,
    arbitrary: fc
      .record({
        step: fc.option(step, { nil: undefined }),
        value,
        source: fc.constantFrom(...Object.values(ClaimSource)),
      })
      .map(
        ({ step: one, ...rest }): OperationCommand => ({
          kind: 'claim',
          claim: { kind: ClaimKind.Tx, ...rest, ...(one !== undefined && { step: one }) },
        }),
      ),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({
        step: fc.option(step, { nil: undefined }),
        serves: step,
        value,
        verdict: fc.constantFrom(...VERDICTS),
        by: value,
      })
      .map(
        ({ step: one, serves, by, verdict, ...rest }): OperationCommand => ({
          kind: 'judge',
          judgement: {
            ...rest,
            verdict,
            carrier: rest.value,
            reason: ReasonCode.Mismatched,
            ...(one === undefined ? verdict === 'matched' && { serves } : { step: one }),
            ...(verdict === 'faster' && { by }),
          },
        }),
      ),
  },
  fc.constant<OperationCommand>({ kind: 'close', by: 'holder' }),
  fc.constant<OperationCommand>({ kind: 'close', by: 'admin' }),
  askId.map((ask): OperationCommand => ({ kind: 'settleAsk', ask })),
  fc
    .record({
      outcome: fc.constantFrom(
        OperationStatus.Completed,
        OperationStatus.Partial,
        OperationStatus.Failed,
        OperationStatus.Cancelled,
      ),
      digest: value,
    })
    .map(({ outcome, digest }): OperationCommand => ({ kind: 'result', outcome, digest, payload: NOTHING })),
  fc
    .record({
      digest: value,
      verdict: fc.constantFrom(Verification.Matched, Verification.Mismatched, Verification.Pending),
      shown: fc.subarray([...STEPS], { minLength: 1 }),
    })
    .map((judged): OperationCommand => ({ kind: 'judgeResult', ...judged })),
  fc
    .constantFrom(OperationStatus.Opened, OperationStatus.WalletConnected)
    .map((status): OperationCommand => ({ kind: 'begin', status, payload: NOTHING })),
);

const history = fc.record({
  family: fc.constantFrom(...Object.values(Family)),
  watched: fc.boolean(),
  commands: fc.array(fc.record({ command, wait: fc.constantFrom(1, 11 * MINUTE, 90 * MINUTE) }), {
    maxLength: 40,
    size: 'max',
  }),
});

const ALLOWED: Readonly<Partial<Record<OperationStatus, readonly Effect[]>>> = {
  [OperationStatus.Cancelled]: [Effect.None],
  [OperationStatus.Expired]: [Effect.None],
  [OperationStatus.Completed]: [Effect.Done, Effect.Exceeded],
  [OperationStatus.Deployed]: [Effect.Done, Effect.Exceeded],
  [OperationStatus.Failed]: [Effect.None, Effect.Partial, Effect.Exceeded],
  [OperationStatus.Partial]: [Effect.Partial, Effect.Exceeded],
};

function check(state: OperationState): void {
  const { status, effect, closed } = state;
  if (closed) expect([Effect.Unknown, Effect.Different, Effect.Exceeded]).toContain(effect);
  else expect(ALLOWED[status] ?? Object.values(Effect), `${status} of ${state.family}`).toContain(effect);
}

function entryOf(
  state: StoredOperation | undefined,
  { type, facts }: Pick<EntryHead, 'type' | 'facts'>,
  at: number,
): EntryHead {
  const seq = (state?.seq ?? 0) + 1;
  const stream = { tenant: 't', kind: 'operation', id: 'op' } as const;
  return {
    stream,
    seq,
    at,
    type,
    v: 1,
    actor: 'a',
    messageId: '',
    payloadHash: '',
    prev: '',
    hash: '',
    factsText: '',
    facts,
  };
}

describe('review:E2', () => {
  it('holds over random histories', () => {
    let over = 0;
    const seen = new Set<string>();
    fc.assert(
      fc.property(history, ({ family, watched, commands }) => {
        let state: StoredOperation | undefined;
        let now = 1_000;
        const add = (draft: Pick<EntryHead, 'type' | 'facts'>, at: number) => {
          state = operationDecider.evolve(state, entryOf(state, draft, at));
          check(presentOperation(state));
          seen.add(`${presentOperation(state).status} ${presentOperation(state).effect}`);
        };
        const tick = () => {
          while (state) {
            const due = operationDecider.due(state);
            if (due === undefined || due > now) return;
            add(operationDecider.tick(state, CONTEXT), due);
          }
        };
        const submit = (one: OperationCommand) => {
          const stamp = { at: now, seq: (state?.seq ?? 0) + 1, agent: 'a' };
          const decision = operationDecider.decide(state, one, stamp, CONTEXT);
          if (decision.kind === 'accepted') for (const draft of decision.drafts) add(draft, now);
        };
        const steps = STEPS.map((id) => ({ id }));
        submit({
          kind: 'create',
          family,
          chainId: 1,
          ttlMs: 120 * MINUTE,
          lateMs: 60 * MINUTE,
          digest: '',
          steps,
          watched,
          payload: NOTHING,
        });
        for (const { command: one, wait } of commands) {
          now += wait;
          tick();
          submit(one);
        }
        now = Number.MAX_SAFE_INTEGER;
        tick();
        const last = presentOperation(state as unknown as StoredOperation);
        expect(isOver(last), `${last.status} ${last.effect}`).toBe(true);
        expect(operationDue(last)).toBeUndefined();
        if (isOver(last)) over += 1;
      }),
      { numRuns: 10_000 },
    );
    expect(over).toBe(10_000);
    for (const effect of Object.values(Effect))
      expect(
        [...seen].some((one) => one.endsWith(effect)),
        effect,
      ).toBe(true);
  }, 120_000);
});

describe('replay', () => {
  const ref: StreamRef = { tenant: 'default', kind: StreamKind.Operation, id: 'op_test' };
  const create = (family: Family, watched: boolean) => ({
    kind: 'create' as const,
    family,
    chainId: 1,
    ttlMs: 120 * MINUTE,
    digest: 'sha256:0',
    steps: STEPS.map((id) => ({ id })),
    watched,
    payload: NOTHING,
  });

  it('decides every entry of random histories again', () => {
    fc.assert(
      fc.property(history, ({ family, watched, commands }) => {
        const run = new DeciderRun(operationDecider, ref, { clock: createClock(1_000_000) });
        run.decide('a', { ...create(family, watched), lateMs: 60 * MINUTE });
        for (const { command: one, wait } of commands) {
          run.clock.now += wait;
          run.decide('a', one);
        }
        expect(verifyStream(ref, run.entries, codec)).toMatchObject({ ok: true });
      }),
      { numRuns: 1_000 },
    );
  });

  it('goes on with records of 0.1.0, whatever they were doing', () => {
    const posts = fc.array(
      fc.record({
        step,
        kind: fc.constantFrom(
          'opened',
          'tx_requested',
          'tx_submitted',
          'failed',
          'cancelled',
          'verdict',
          'wait',
        ),
        verdict: fc.constantFrom('pending', 'matched', 'mismatched', 'reverted'),
      }),
      { maxLength: 10 },
    );
    let raisedRecords = 0;
    fc.assert(
      fc.property(posts, history, (before, { family, watched, commands }) => {
        const clock = createClock(1_000_000);
        const old = new DeciderRun(rev1Decider, ref, { clock });
        old.decide('a', create(family, watched));
        for (const { step: id, kind, verdict } of before) {
          clock.now += kind === 'wait' ? 130 * MINUTE : 1_000;
          const post = old1(id, kind, verdict);
          if (post) old.decide('_browser', post);
        }
        const run = new DeciderRun(operationDecider, ref, { clock });
        run.adopt(old.entries);
        const ended = isOver(presentOperation(run.state as StoredOperation));
        expect(ended || run.state !== undefined).toBe(true);
        for (const { command: one, wait } of commands) {
          clock.now += wait;
          run.decide('a', one);
        }
        if (run.entries.some(({ type }) => type === OperationEntryType.RulesRaised)) raisedRecords += 1;
        expect(verifyStream(ref, run.entries, codec)).toMatchObject({ ok: true });
      }),
      { numRuns: 1_000 },
    );
    expect(raisedRecords).toBeGreaterThan(200);
  });
});

function old1(id: string, kind: string, verdict: string): Rev1Command | undefined {
  const hash = `0x${id.repeat(64)}`;
  const payload = NOTHING;
  switch (kind) {
    case 'opened':
      return { kind: 'post', status: OperationStatus.Opened, payload };
    case 'tx_requested':
      return {
        kind: 'post',
        status: OperationStatus.TxRequested,
        step: { id, status: StepStatus.Requested },
        payload,
      };
    case 'tx_submitted':
      return {
        kind: 'post',
        status: OperationStatus.TxSubmitted,
        step: { id, status: StepStatus.Submitted, claim: { txHash: hash } },
        payload,
      };
    case 'failed':
      return {
        kind: 'post',
        status: OperationStatus.Failed,
        step: { id, status: StepStatus.Failed },
        payload,
      };
    case 'cancelled':
      return { kind: 'post', status: OperationStatus.Cancelled, payload };
    case 'verdict':
      return { kind: 'verified', subject: { step: id, claim: hash }, verdict: verdict as ChainVerdict };
    default:
      return undefined;
  }
}
