/**
 * Checks the decider against a separate table of the rules: which command of a browser, an agent or the chain may
 * follow which, and how the record changes. The decider must agree with the table for any sequence of commands.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../../../../test/kit/clock.js';
import { codec } from '../../../../../test/kit/codec.js';
import { DeciderRun } from '../../../../../test/kit/decider-run.js';
import { RUNTIME_ACTOR, StreamKind, type StreamRef, verifyStream } from '../../index.js';
import type { OperationCommand } from './command.js';
import { rev1Decider } from './rev1-decider.js';
import type { OperationState } from './state.js';

const ref: StreamRef = { tenant: 'default', kind: StreamKind.Operation, id: 'op_test' };
const BYTES = codec.utf8('{}');
const HASHES = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`];
const TTL = 3_600_000;
const DAY = 86_400_000;

class Run extends DeciderRun<OperationState, OperationCommand> {
  constructor() {
    super(rev1Decider, ref, { clock: createClock(1_000_000) });
  }

  /** The code of a refusal, or how many entries it added. */
  submit(command: OperationCommand, agent: string): number | string {
    const decision = this.decide(agent, command);
    if (decision.kind !== 'accepted')
      return decision.kind === 'rejected' ? decision.rejection.code : 'duplicate';
    this.tick();
    return decision.drafts.length;
  }
}

type Action =
  | { readonly do: 'post'; readonly status: 'opened' | 'wallet_connected' | 'cancelled' | 'completed' }
  | {
      readonly do: 'step';
      readonly step: 0 | 1;
      readonly to: 'requested' | 'submitted' | 'failed';
      readonly hash: 0 | 1;
    }
  | {
      readonly do: 'chain';
      readonly step: 0 | 1;
      readonly verdict: 'included' | 'matched' | 'mismatched' | 'reorged' | 'reverted';
    }
  | { readonly do: 'cancel' }
  | { readonly do: 'wait'; readonly ms: number };

/** The table. Steps are p(ending) r(equested) s(ubmitted) i(ncluded) m(ismatched) c(onfirmed) f(ailed). */
class Model {
  status = 'pending_user_action';
  steps: { at: string; hash?: number; requestedAt?: number; sentAt?: number }[] = [{ at: 'p' }, { at: 'p' }];
  closed = false;
  now = 1_000_000;
  readonly #expires = 1_000_000 + TTL;
  readonly #watched: boolean;

  constructor(watched: boolean) {
    this.#watched = watched;
  }

  #sent(): boolean {
    return this.steps.some(({ at }) => 'simc'.includes(at));
  }

  #over(): boolean {
    return this.closed || ['completed', 'cancelled', 'expired'].includes(this.status);
  }

  tick(): void {
    const lastSent = Math.max(0, ...this.steps.map(({ sentAt = 0 }) => sentAt));
    const late = Math.max(this.#expires + 1, lastSent + DAY);
    if (
      this.status === 'expired' &&
      !this.closed &&
      this.steps.some(({ at }) => 'sim'.includes(at)) &&
      this.now >= late
    )
      this.closed = true;
    if (this.#over()) return;
    const asked = this.steps.find(({ at }) => at === 'r');
    if (asked) {
      if (this.now >= Math.max(this.#expires + 1, (asked.requestedAt ?? 0) + DAY)) this.status = 'expired';
    } else if (this.steps.every(({ at }) => 'simc'.includes(at))) {
      const unverified = !this.#watched && this.#unverified();
      if (this.now >= (unverified ? this.#expires + 1 : late)) this.closed = true;
    } else if (this.now > this.#expires) this.status = 'expired';
    if (this.status === 'expired') this.tick();
  }

  #unverified(): boolean {
    return this.steps.some(({ at }) => at === 's') && !this.steps.some(({ at }) => 'im'.includes(at));
  }

  /** The expected outcome: a code, or whether something is recorded. */
  apply(action: Action): string | boolean {
    if (action.do === 'wait') return false;
    this.tick();
    if (action.do === 'chain') return this.#chain(action);
    if (action.do === 'cancel') {
      if (this.#over()) return false;
      if (this.#sent()) return 'CONFLICT';
      this.status = 'cancelled';
      return true;
    }
    if (this.status === 'expired') return 'SESSION_EXPIRED';
    return action.do === 'post' ? this.#post(action.status) : this.#step(action);
  }

  #post(status: string): string | boolean {
    if (status === 'cancelled') {
      if (this.status === 'cancelled') return false;
      if (this.#over() || this.#sent()) return 'CONFLICT';
      this.status = 'cancelled';
      return true;
    }
    if (status === 'completed') return 'CONFLICT';
    const order = ['pending_user_action', 'opened', 'wallet_connected'];
    const here = order.indexOf(this.status);
    if (here === -1 || here >= order.indexOf(status)) return false;
    if (here !== order.indexOf(status) - 1) return 'CONFLICT';
    this.status = status;
    return true;
  }

  #step({ step: n, to, hash }: Extract<Action, { do: 'step' }>): string | boolean {
    const step = this.steps[n];
    if (!step || this.#over()) return 'CONFLICT';
    if (to === 'requested') {
      if (!['opened', 'wallet_connected', 'tx_submitted', 'failed'].includes(this.status)) return 'CONFLICT';
      const before = this.steps[n - 1];
      const open = !before || before.at === 'c' || before.at === 'i' || (!this.#watched && before.at === 's');
      if (!'pfm'.includes(step.at) || !open || this.steps.some(({ at }) => at === 'r')) return 'CONFLICT';
      this.steps[n] = { at: 'r', requestedAt: this.now };
      this.status = 'tx_requested';
      return true;
    }
    if (to === 'failed') {
      if (this.status !== 'tx_requested' || step.at !== 'r') return 'CONFLICT';
      this.steps[n] = { at: 'f' };
      this.status = 'failed';
      return true;
    }
    if (!['tx_requested', 'tx_submitted'].includes(this.status)) return 'CONFLICT';
    if (step.at === 'c') return step.hash === hash ? false : 'CONFLICT';
    if (!'rsim'.includes(step.at)) return 'CONFLICT';
    if (step.at !== 'r' && step.hash === hash) return false;
    if (this.steps.some((other) => other !== step && other.hash === hash)) return 'CONFLICT';
    this.steps[n] = { at: 's', hash, sentAt: this.now };
    if (!this.steps.some(({ at }) => at === 'r')) this.status = 'tx_submitted';
    return true;
  }

  #chain({ step: n, verdict }: Extract<Action, { do: 'chain' }>): string | boolean {
    const step = this.steps[n];
    if (!step || !'sim'.includes(step.at)) return false;
    const next = { included: 'i', matched: 'c', mismatched: 'm', reorged: 's', reverted: 'f' }[verdict];
    if (verdict === 'reorged' && step.at !== 'i') return false;
    if (verdict === 'mismatched' && step.at === 'm') return false;
    if (verdict === 'included' && step.at === 'i') return false;
    step.at = next;
    if (verdict === 'reverted') delete step.sentAt;
    if (this.#over()) return true;
    if (verdict === 'reverted' && !this.steps.some(({ at }) => at === 'r')) this.status = 'failed';
    if (this.steps.every(({ at }) => at === 'c')) this.status = 'completed';
    return true;
  }
}

const STEP_WORD = { requested: 'tx_requested', submitted: 'tx_submitted', failed: 'failed' } as const;

function toCommand(action: Action, run: Run): [OperationCommand, string] | undefined {
  switch (action.do) {
    case 'wait':
      return undefined;
    case 'cancel':
      return [{ kind: 'cancel', by: 'creator' }, 'alice'];
    case 'post':
      return [{ kind: 'post', status: action.status, payload: BYTES }, '_browser'];
    case 'step': {
      const claim = action.to === 'submitted' ? { claim: { txHash: HASHES[action.hash] ?? '' } } : {};
      const step = { id: `step_${action.step}`, status: action.to, ...claim };
      return [{ kind: 'post', status: STEP_WORD[action.to], step, payload: BYTES }, '_browser'];
    }
    case 'chain': {
      const claim = run.state?.steps[action.step]?.claim?.txHash ?? '';
      const block = { block: { number: 7, hash: `0x${'c'.repeat(64)}` } };
      const included = action.verdict === 'included';
      return [
        {
          kind: 'verified',
          subject: { step: `step_${action.step}`, claim },
          verdict: included ? 'pending' : action.verdict,
          ...((included || action.verdict === 'matched') && block),
        },
        RUNTIME_ACTOR,
      ];
    }
  }
}

const stepIndex = fc.constantFrom<0 | 1>(0, 1);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    do: fc.constant('post' as const),
    status: fc.constantFrom('opened', 'wallet_connected', 'cancelled', 'completed'),
  }),
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('step' as const),
      step: stepIndex,
      to: fc.constantFrom('requested', 'submitted', 'failed'),
      hash: stepIndex,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('chain' as const),
      step: stepIndex,
      verdict: fc.constantFrom('included', 'matched', 'mismatched', 'reorged', 'reverted'),
    }),
  },
  fc.record({ do: fc.constant('cancel' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 60_000, TTL, DAY) }),
);

describe('transitions of an operation', () => {
  it('are those of the table, whatever is asked in whatever order; and every log replays', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.array(action, { maxLength: 40 }),
        (watched, opened, actions) => {
          const run = new Run();
          const model = new Model(watched);
          const steps = [{ id: 'step_0' }, { id: 'step_1' }];
          const create = {
            kind: 'create',
            family: 'operation',
            chainId: 1,
            ttlMs: TTL,
            digest: 'd',
            steps,
            watched,
            payload: BYTES,
          } as const;
          expect(run.submit(create, 'alice')).toBe(1);
          for (const one of [...(opened ? [{ do: 'post', status: 'opened' } as const] : []), ...actions]) {
            if (one.do === 'wait') {
              run.clock.now += one.ms;
              model.now += one.ms;
              continue;
            }
            const asked = toCommand(one, run);
            if (!asked) continue;
            const said = run.submit(...asked);
            expect(typeof said === 'number' ? said > 0 : said, JSON.stringify([one, actions])).toBe(
              model.apply(one),
            );
            model.tick();
            expect(run.state?.status).toBe(model.status);
            expect(run.state?.closed).toBe(model.closed);
          }
          const verdict = verifyStream(ref, run.entries, codec);
          expect(verdict.ok, JSON.stringify(verdict)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

type Asked = [OperationCommand, string];

describe('every family', () => {
  const families = ['operation', 'bundle_deploy', 'session_start'] as const;
  const words = [
    'opened',
    'wallet_connected',
    'imported',
    'pending_import',
    'tx_requested',
    'tx_submitted',
    'failed',
    'deployed',
    'completed',
    'cancelled',
  ] as const;
  const command: fc.Arbitrary<Asked> = fc.oneof(
    fc
      .record({ status: fc.constantFrom(...words), claims: fc.boolean() })
      .map(
        ({ status, claims }) =>
          [{ kind: 'post', status, payload: BYTES, ...(claims && { claims }) }, '_browser'] as [
            OperationCommand,
            string,
          ],
      ),
    fc
      .record({
        status: fc.constantFrom(...words),
        step: stepIndex,
        to: fc.constantFrom('requested', 'submitted', 'failed', 'confirmed'),
        hash: stepIndex,
      })
      .map(
        ({ status, step, to, hash }): Asked => [
          {
            kind: 'post',
            status,
            payload: BYTES,
            step: { id: `step_${step}`, status: to as 'requested', claim: { txHash: HASHES[hash] ?? '' } },
          },
          '_browser',
        ],
      ),
    fc
      .constantFrom('deployed', 'completed', 'partial', 'failed', 'cancelled')
      .map(
        (outcome): Asked => [
          { kind: 'result', outcome: outcome as 'failed', digest: outcome, payload: BYTES },
          '_browser',
        ],
      ),
    fc
      .record({ by: fc.constantFrom('creator', 'admin'), agent: fc.constantFrom('alice', 'mallory') })
      .map(({ by, agent }): Asked => [{ kind: 'cancel', by: by as 'creator' }, agent]),
    fc
      .record({
        step: stepIndex,
        hash: stepIndex,
        verdict: fc.constantFrom('pending', 'matched', 'mismatched', 'reorged', 'reverted'),
      })
      .map(
        ({ step, hash, verdict }): Asked => [
          {
            kind: 'verified',
            subject: { step: `step_${step}`, claim: HASHES[hash] ?? '' },
            verdict: verdict as 'pending',
          },
          RUNTIME_ACTOR,
        ],
      ),
    fc
      .record({
        result: fc.constantFrom('deployed', 'completed'),
        verdict: fc.constantFrom('pending', 'matched', 'mismatched'),
      })
      .map(
        ({ result, verdict }): Asked => [
          { kind: 'verified', subject: { result }, verdict: verdict as 'pending' },
          RUNTIME_ACTOR,
        ],
      ),
  );
  const ENDED = ['completed', 'deployed', 'partial', 'cancelled', 'expired'];

  it('never leaves an end, says success only after the chain, and replays', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...families),
        fc.boolean(),
        fc.array(command, { maxLength: 30 }),
        (family, watched, commands) => {
          const run = new Run();
          const steps = [{ id: 'step_0' }, { id: 'step_1' }];
          run.submit(
            { kind: 'create', family, chainId: 1, ttlMs: TTL, digest: 'd', steps, watched, payload: BYTES },
            'alice',
          );
          for (const [asked, agent] of commands) {
            const before = run.state?.status ?? '';
            const said = run.submit(asked, agent);
            const after = run.state?.status ?? '';
            if (ENDED.includes(before)) expect(after).toBe(before);
            if (after !== before && ['completed', 'deployed', 'partial'].includes(after))
              expect(asked.kind).toBe('verified');
            if (typeof said === 'string') expect(after).toBe(before);
            if (agent === 'mallory' && asked.kind === 'cancel' && asked.by === 'creator')
              expect(said).toBe('OPERATION_NOT_FOUND');
            const requested = run.state?.steps.filter(({ status }) => status === 'requested') ?? [];
            expect(requested.length).toBeLessThanOrEqual(1);
            const hashes = run.state?.steps.flatMap(({ claim }) => claim?.txHash ?? []) ?? [];
            expect(new Set(hashes).size).toBe(hashes.length);
          }
          const verdict = verifyStream(ref, run.entries, codec);
          expect(verdict.ok, JSON.stringify(verdict)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
