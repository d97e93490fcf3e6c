/**
 * Waiting for what a person, a wallet or the chain does with operations (docs/spec/review.md H1). It follows the log, so
 * nothing is polled and nothing between two calls is missed.
 *
 * W1. The mark is a place in the log. What happened up to it is in the operations that were returned with it.
 * W2. `decided` and `settled` must hold for every operation that was named. If they do, the answer comes at once; with a
 *     mark only if all are over, else it comes with the next news: what was refused may be tried again, and whoever waits for
 *     that must not turn in a circle.
 * W3. `settled` is about what moved, and that is known: of a record that is over, or of which a wallet was asked in vain. A prompt for a
 *     step that is done may still be open (`openAsks`), and a late signature is recorded.
 * W4. Who names one that is not there, or not theirs, learns nothing about the others.
 */
import {
  AskStanding,
  ClaimStanding,
  Effect,
  type EntryHead,
  type Family,
  familyOfId,
  isOver,
  type JsonObject,
  type OperationState,
  operationNotFound,
  pendingOf,
  ReasonCode,
  streamKey,
} from '@handover/core';
import type { Cursor } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { type FollowBounds, followFor } from '../follow-for.js';
import { BAD_MARK, encodeMark, endAfter, locateMark } from '../marks.js';
import type { Outcome } from '../outcome.js';
import type { OperationDependencies } from './dependencies.js';
import { findForAgent } from './find.js';
import { type OperationRecord, readRecord } from './record.js';
import { showWithTwin } from './show.js';

export const WAIT_FOR = ['change', 'decided', 'settled'] as const;
export type WaitFor = (typeof WAIT_FOR)[number];

export interface WaitArguments {
  readonly ids: readonly string[];
  readonly since?: string;
  readonly timeoutMs: number;
  readonly until: WaitFor;
}

export interface Waited {
  readonly changed: boolean;
  readonly operations: readonly JsonObject[];
  readonly mark: string;
}

type Refs = ReadonlyMap<string, OperationRecord>;

export class OperationWaits {
  readonly #deps: OperationDependencies;

  constructor(deps: OperationDependencies) {
    this.#deps = deps;
  }

  async wait(principal: Principal, args: WaitArguments, signal: AbortSignal): Promise<Outcome<Waited>> {
    const { engine } = this.#deps;
    const position = await engine.position();
    const from =
      args.since === undefined ? { at: position, behind: 0 } : await locateMark(engine, args.since);
    if (!from) return { rejection: BAD_MARK };
    const found = await this.#find(principal, args.ids);
    if (!found) return { rejection: operationNotFound() };
    const isOld = from.behind > fixedLimits.waitCatchUpEntries.value;
    if (isOld || isTold(args, [...found.values()])) return this.#answer(found, position, true);
    // It holds nothing for which it would have to be cut off.
    const admitted = this.#deps.listeners.admit(principal, () => {});
    if ('rejection' in admitted) return admitted;
    const ms = Math.max(0, Math.min(args.timeoutMs, fixedLimits.waitForHandoffMs.value));
    try {
      return await this.#news(principal, args, found, from.at, { ms, signal });
    } finally {
      admitted.value.leave();
    }
  }

  async #news(
    principal: Principal,
    { until }: WaitArguments,
    found: Refs,
    from: Cursor,
    bounds: FollowBounds,
  ): Promise<Outcome<Waited>> {
    let seen = from;
    for await (const { at, entry } of followFor(this.#deps.engine, from, bounds)) {
      seen = at;
      if (!isNews(principal, found, entry)) continue;
      // The mark is taken before the records are read, so that entries which come meanwhile are news again.
      const mark = await endAfter(this.#deps.engine, at);
      const now = await this.#again(found);
      if (until === 'change' || holds(until, [...now.values()])) return this.#answer(now, mark, true);
    }
    return this.#answer(await this.#again(found), seen, false);
  }

  async #find(principal: Principal, ids: readonly string[]): Promise<Refs | undefined> {
    const found = new Map<string, OperationRecord>();
    for (const id of new Set(ids)) {
      const family: Family | undefined = familyOfId(id);
      const one = family && (await findForAgent(this.#deps, principal, id, family));
      if (!one) return undefined;
      found.set(streamKey(one.record.ref), one.record);
    }
    return found;
  }

  async #again(found: Refs): Promise<Refs> {
    const now = new Map<string, OperationRecord>();
    for (const [key, record] of found) now.set(key, (await readRecord(this.#deps, record.ref)) ?? record);
    return now;
  }

  async #answer(found: Refs, at: Cursor, changed: boolean): Promise<Outcome<Waited>> {
    const operations: JsonObject[] = [];
    for (const record of found.values()) {
      const shown = await showWithTwin(this.#deps, record, 'metadata');
      if ('rejection' in shown) return shown;
      operations.push(shown.value);
    }
    return { value: { changed, operations, mark: encodeMark(at) } };
  }
}

/** What the caller did is no news to the caller. */
const isNews = ({ agent }: Principal, found: Refs, { stream, actor }: EntryHead): boolean =>
  actor !== agent && found.has(streamKey(stream));

const CONDITIONS: Readonly<Record<WaitFor, (state: OperationState) => boolean>> = {
  change: () => false,
  // What the agent itself has withdrawn is not decided while a wallet may still sign.
  decided: (state) =>
    isOver(state) || state.closing?.by === 'holder' || wasSigned(state) || wasRefused(state),
  settled: (state) => {
    const { waiting, open, quiet } = pendingOf(state);
    if (state.closed) return true;
    return (isOver(state) || cameToNothing(state)) && !(waiting || open || quiet || mayBeTwice(state));
  },
};

/** A wallet was asked, and it is known that nothing was sent. The person may try again; until then this is the outcome. */
const cameToNothing = ({ asks, effect }: OperationState): boolean =>
  asks.length > 0 && effect === Effect.None;

/** Something more was told of a step that is done, and the network has not been found to know nothing of it. */
const mayBeTwice = ({ steps, windowOver }: OperationState): boolean =>
  !windowOver &&
  steps.some(({ claims }) =>
    claims.some(({ standing, reason }) => standing === ClaimStanding.Open && reason !== ReasonCode.NotSeen),
  );

const holds = (until: WaitFor, records: readonly OperationRecord[]): boolean =>
  records.every(({ state }) => CONDITIONS[until](state));

/** Nothing needs to be waited for. */
function isTold({ until, since }: WaitArguments, records: readonly OperationRecord[]): boolean {
  return holds(until, records) && (since === undefined || records.every(({ state }) => isOver(state)));
}

const wasSigned = ({ steps, loose }: OperationState): boolean =>
  loose.length > 0 || steps.some(({ claims }) => claims.length > 0);

const REFUSED: readonly AskStanding[] = [AskStanding.Refused, AskStanding.Quiet, AskStanding.NotSigned];

function wasRefused({ asks }: OperationState): boolean {
  const last = asks.at(-1);
  return last !== undefined && REFUSED.includes(last.standing);
}
