/**
 * review:X0. Every state that two steps of two asks can reach is visited, with a wallet that signs at any moment and
 * reports or does not, a person who errs and mistypes, an agent who cancels, and time that passes. In each of them the rules hold.
 */
import { describe, expect, it } from 'vitest';
import type { EntryHead } from '../log/entry.js';
import { isContested } from './claims-of-asks.js';
import type { OperationCommand } from './command.js';
import { decideOperation } from './decide.js';
import { operationDue, operationTick } from './due.js';
import { pendingOf } from './effect.js';
import { evolveOperation, QUIET_MS } from './evolve.js';
import { isOver, type OperationState } from './state.js';
import {
  AskAnswer,
  ClaimKind,
  ClaimSource,
  CONTESTED,
  Effect,
  Family,
  OperationStatus,
  ReasonCode,
} from './words.js';

const START = 1_000;
const TTL = 100 * QUIET_MS;
const NOTHING = new Uint8Array(0);
const ASKS = 2;

/** What is so, whether or not the server knows: of each ask the prompt and the chain. */
interface Prompt {
  readonly wallet: 'open' | 'signed' | 'dead';
  readonly chain: '' | 'mined' | 'reverted';
}
interface World {
  readonly state: OperationState;
  readonly prompts: Readonly<Record<string, Prompt>>;
}
type Move = readonly [name: string, world: World];

function fold(
  state: OperationState | undefined,
  drafts: readonly Pick<EntryHead, 'type' | 'facts'>[],
  at: number,
) {
  let next = state;
  for (const { type, facts } of drafts) {
    const seq = (next?.seq ?? 0) + 1;
    const stream = { tenant: 't', kind: 'operation', id: 'op' } as const;
    const hashes = { payloadHash: '', prev: '', hash: '', factsText: '' };
    next = evolveOperation(next, {
      stream,
      seq,
      at,
      type,
      v: 1,
      actor: 'a',
      messageId: `${seq}`,
      facts,
      ...hashes,
    });
  }
  if (!next) throw new Error('nothing was created');
  return next;
}

function decided(
  state: OperationState | undefined,
  command: OperationCommand,
  at: number,
): OperationState | undefined {
  const decision = decideOperation(state, command, { at, seq: (state?.seq ?? 0) + 1, agent: 'a' });
  return decision.kind === 'accepted' ? fold(state, decision.drafts, at) : undefined;
}

function ticked(state: OperationState): OperationState {
  const draft = operationTick(state);
  return fold(state, [draft], draft.at ?? 0);
}

/**
 * Most worlds have the state of another world, with other prompts: what is decided on a state is decided once. States are
 * the same when all of them is, but for the number of entries that led there.
 */
class Decided {
  readonly #same = new Map<string, OperationState>();
  readonly #moved = new WeakMap<OperationState, Map<string, OperationState | undefined>>();

  once(state: OperationState, name: string, decide: () => OperationState | undefined) {
    const moved = this.#moved.get(state) ?? new Map<string, OperationState | undefined>();
    this.#moved.set(state, moved);
    if (!moved.has(name)) {
      const next = decide();
      moved.set(name, next && this.#known(next));
    }
    return moved.get(name);
  }

  #known(state: OperationState): OperationState {
    const text = JSON.stringify({ ...state, seq: 0 });
    const same = this.#same.get(text) ?? state;
    this.#same.set(text, same);
    return same;
  }
}

const hash = (ask: string) => `0x${ask}`;
const mistyped = (ask: string) => `0xbad${ask}`;

function* moves(world: World, steps: readonly string[], known: Decided): Generator<Move> {
  const { state, prompts } = world;
  const at = state.late ? START + TTL + 10 : START + 5;
  const server = (name: string, command: OperationCommand, when = at, changed = prompts): Move[] => {
    const next = known.once(state, name, () => decided(state, command, when));
    return next ? [[name, { state: next, prompts: changed }]] : [];
  };
  const set = (id: string, prompt: Partial<Prompt>) => ({
    ...prompts,
    [id]: { ...(prompts[id] as Prompt), ...prompt },
  });
  for (const step of steps) {
    const made = state.asks.filter((ask) => ask.steps.includes(step)).length;
    if (made < ASKS) {
      const id = `${step}${made}`;
      const fresh = { ...prompts, [id]: { wallet: 'open', chain: '' } as const };
      yield* server(`ask ${id}`, { kind: 'ask', ask: { id, steps: [step] } }, at, fresh);
    }
  }
  for (const { id, steps: own } of state.asks) {
    const [step = ''] = own;
    const { wallet, chain } = prompts[id] as Prompt;
    const claim = state.steps.find((one) => one.id === step)?.claims.find(({ value }) => value === hash(id));
    const said = (answer: Exclude<AskAnswer, 'claim'>): OperationCommand => ({
      kind: 'answer',
      ask: id,
      answer,
      payload: NOTHING,
    });
    const told = (source: ClaimSource): OperationCommand => ({
      kind: 'claim',
      claim: { step, kind: ClaimKind.Tx, value: hash(id), ask: id, source },
    });
    // A mistyped hash, which no node ever sees. Of one step only: it makes many states.
    const typo = state.steps
      .find((one) => one.id === step)
      ?.claims.find(({ value }) => value === mistyped(id));
    const all = state.steps.flatMap(({ claims }) => claims);
    if (steps.length === 1 && !typo && !all.some(isContested)) {
      const claim = { step, kind: ClaimKind.Tx, value: mistyped(id), ask: id, source: ClaimSource.Holder };
      yield* server(`mistypes ${id}`, { kind: 'claim', claim });
    }
    if (typo?.standing === 'open') {
      const judgement = {
        step,
        value: mistyped(id),
        verdict: 'pending',
        reason: ReasonCode.NotSeen,
      } as const;
      yield* server(`not seen ${id}`, { kind: 'judge', judgement });
    }
    if (wallet === 'open') {
      yield [`signs ${id}`, { state, prompts: set(id, { wallet: 'signed' }) }];
      yield [`dies ${id}`, { state, prompts: set(id, { wallet: 'dead' }) }];
      yield* server(`refuses ${id}`, said(AskAnswer.Refused), at, set(id, { wallet: 'dead' }));
    }
    yield* server(`unclear ${id}`, said(AskAnswer.Unclear));
    // Whoever says so believes it: the prompt may still be open.
    if (wallet !== 'signed') yield* server(`not signed ${id}`, said(AskAnswer.SaidNotSigned));
    if (wallet === 'signed') {
      if (!claim) yield* server(`reports ${id}`, told(ClaimSource.Page));
      if (chain === '') {
        yield [`mined ${id}`, { state, prompts: set(id, { chain: 'mined' }) }];
        yield [`reverted ${id}`, { state, prompts: set(id, { chain: 'reverted' }) }];
      } else if (!claim && chain === 'mined') yield* server(`found ${id}`, told(ClaimSource.Nonce));
      if (claim && chain !== '') {
        const verdict = chain === 'mined' ? 'matched' : 'reverted';
        yield* server(`judged ${id} ${verdict}`, {
          kind: 'judge',
          judgement: { step, value: hash(id), verdict, carrier: hash(id) },
        });
      }
    }
    // What was signed counts for another creator, and whoever holds the link says whatever would make nothing of it.
    const isTyped = all.some(({ value }) => value.startsWith(mistyped('')));
    const isFirst = steps.length === 1 && !isTyped && id === state.asks[0]?.id;
    if (isFirst && claim?.standing === 'open' && chain === 'mined') {
      const used = { verdict: 'aside', reason: ReasonCode.HashUsed, detail: CONTESTED } as const;
      yield* server(`another's ${id}`, { kind: 'judge', judgement: { step, value: hash(id), ...used } });
    }
    if (claim && isContested(claim)) {
      for (const answer of [AskAnswer.SaidNotSigned, AskAnswer.Refused, AskAnswer.NotOpened] as const)
        yield* server(`${answer} ${id}`, said(answer));
      yield* server(`quiet over ${id}`, { kind: 'settleAsk', ask: id }, at + QUIET_MS);
    }
    // The quiet time ends only after a look that has found neither the transaction nor one that waits.
    if (wallet !== 'signed') yield* server(`quiet over ${id}`, { kind: 'settleAsk', ask: id }, at + QUIET_MS);
  }
  yield* server('decline', { kind: 'close', by: 'holder' });
  if (operationDue(state) !== undefined)
    yield ['time', { state: known.once(state, 'time', () => ticked(state)) ?? state, prompts }];
}

function keyOf({ state, prompts }: World): string {
  let key = keyOfState(state);
  for (const { id } of state.asks) key += `,${prompts[id]?.wallet}${prompts[id]?.chain}`;
  return key;
}

/** Without times and counters, which change nothing here. */
const keyOfState = remembered((state: OperationState): string => {
  const { status, closed, late, windowOver, closing, asks, steps } = state;
  const parts = asks.map(({ id, standing }) => `${id}${standing}`);
  const claims = steps.map((step) =>
    step.claims.map(({ value, standing, reason }) => `${value}${standing}${reason}`).sort(),
  );
  return JSON.stringify([status, closed, late, windowOver, closing !== undefined, parts, claims]);
});

/** Found out once of each state. */
function remembered<T>(of: (state: OperationState) => T): (state: OperationState) => T {
  const known = new WeakMap<OperationState, { readonly value: T }>();
  return (state) => {
    const found = known.get(state) ?? { value: of(state) };
    known.set(state, found);
    return found.value;
  };
}

const ALLOWED: Readonly<Partial<Record<OperationStatus, readonly Effect[]>>> = {
  [OperationStatus.Cancelled]: [Effect.None],
  [OperationStatus.Expired]: [Effect.None],
  [OperationStatus.Completed]: [Effect.Done, Effect.Exceeded],
  [OperationStatus.Failed]: [Effect.None, Effect.Partial, Effect.Exceeded],
  [OperationStatus.Partial]: [Effect.Partial, Effect.Exceeded],
};
const WHEN_CLOSED: readonly Effect[] = [Effect.Unknown, Effect.Different, Effect.Exceeded];

function flawOf({ state, prompts }: World): string | undefined {
  const { status, effect, closed, asks } = state;
  if (ALLOWED[status] && !closed && !ALLOWED[status].includes(effect)) return `E2: ${status} with ${effect}`;
  if (closed && !WHEN_CLOSED.includes(effect)) return `E2: closed with ${effect}`;
  // Signed, and not reverted: it was paid, or may be. Only a signature after the quiet time, or after a refusal of the
  // wallet's that was none, may escape.
  const paid = asks.filter(({ id }) => prompts[id]?.wallet === 'signed' && prompts[id]?.chain !== 'reverted');
  const escaped = paid.every(({ standing }) => standing === 'not_signed' || standing === 'refused');
  if (effect === Effect.None && paid.length > 0 && !escaped) return 'none, and it may be paid';
  // It was paid, and nobody can say for whom.
  const contested = state.steps.some(({ claims }) => claims.some(isContested));
  if (effect === Effect.None && contested) return 'none, and what was signed counts for another';
  const { waiting, open, quiet } = pendingOf(state);
  if (isOver(state) && !closed && (waiting || open || quiet)) return `${status}, and something is under way`;
  return undefined;
}

/** By time alone it ends. */
const neverEnds = remembered((state: OperationState): boolean => {
  let now = state;
  for (let n = 0; n < 4 && operationDue(now) !== undefined; n++) now = ticked(now);
  return !isOver(now);
});

function search(count: number, watched: boolean) {
  const steps = Array.from({ length: count }, (_, n) => 'ab'.charAt(n));
  const first = decided(
    undefined,
    {
      kind: 'create',
      family: Family.Operation,
      chainId: 1,
      ttlMs: TTL,
      lateMs: QUIET_MS,
      digest: 'sha256:0',
      steps: steps.map((id) => ({ id })),
      watched,
      payload: NOTHING,
    },
    START,
  );
  if (!first) throw new Error('it was not created');
  const known = new Decided();
  const seen = new Set<string>();
  const flaws: string[] = [];
  let front: { readonly world: World; readonly path: string }[] = [
    { world: { state: first, prompts: {} }, path: '' },
  ];
  let exceeded = 0;
  while (front.length > 0) {
    const following: typeof front = [];
    for (const { world, path } of front) {
      const flaw = flawOf(world) ?? (neverEnds(world.state) ? 'never ends' : undefined);
      if (flaw && flaws.length < 8) flaws.push(`${flaw}:${path}`);
      if (world.state.effect === Effect.Exceeded) exceeded += 1;
      for (const [name, next] of moves(world, steps, known)) {
        const key = keyOf(next);
        if (seen.has(key)) continue;
        seen.add(key);
        following.push({ world: next, path: `${path}, ${name}` });
      }
    }
    front = following;
  }
  return { states: seen.size, flaws, exceeded };
}

describe('review:X0 every state that asks, answers, claims, endings and time can reach', () => {
  it.each([true, false])(
    'of one step, watched: %s',
    (watched) => {
      const { states, flaws, exceeded } = search(1, watched);
      expect(flaws).toEqual([]);
      expect(states).toBeGreaterThan(1_000);
      expect(exceeded).toBeGreaterThan(0);
    },
    300_000,
  );

  it('of two steps', () => {
    const { states, flaws } = search(2, true);
    expect(flaws).toEqual([]);
    expect(states).toBeGreaterThan(10_000);
    console.info({ states });
  }, 300_000);
});
