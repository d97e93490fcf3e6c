/**
 * review:E2. Ten thousand histories of random commands, of all families, at random times: whatever the order, status and
 * effect agree, every record ends by time alone, and deciding an entry again gives the same entry.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntryHead } from '../log/entry.js';
import type { OperationCommand, Verdict } from './command.js';
import { operationDue } from './due.js';
import { operationDecider, presentOperation, type StoredOperation } from './operation-decider.js';
import { isOver, type OperationState } from './state.js';
import {
  AskAnswer,
  ClaimKind,
  ClaimSource,
  Effect,
  Family,
  OperationStatus,
  ReasonCode,
  Verification,
} from './words.js';

const MINUTE = 60_000;
const NOTHING = new Uint8Array(0);
const CONTEXT = { codec: undefined as never, consulted: {} };
const STEPS = ['a', 'b'] as const;

const step = fc.constantFrom(...STEPS);
const value = fc.constantFrom('0x1', '0x2');
const askId = fc.constantFrom('ask_1', 'ask_2', 'ask_3');
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

const command: fc.Arbitrary<OperationCommand> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ id: askId, step })
      .map(({ id, step: one }): OperationCommand => ({ kind: 'ask', ask: { id, steps: [one] } })),
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
