/**
 * Waiting for news: follows the feed of the log, so nothing is polled and nothing between two calls is missed.
 *
 * V1. News is what somebody else, or the runtime, did to a handoff that the caller offered or was offered.
 * V2. The mark is a place in the log. What happened up to it is in the handoffs that were returned with it.
 * V3. Without a mark, the call answers at once when it is the caller's turn: an open offer in its inbox, or an acceptance that
 *     waits for its commit, which is news; or when the named handoff is over or it is the caller's turn.
 */
import { type EntryHead, offersOf, StreamKind } from '@handover/core';
import type { Cursor } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { type FollowBounds, followFor } from '../follow-for.js';
import { BAD_MARK, encodeMark, endAfter, locateMark } from '../marks.js';
import type { HandoffDependencies } from './dependencies.js';
import { type FoundHandoff, findHandoff, handoffIn, handoffNotFound, isParty } from './find-handoff.js';
import { isOver, isTurnOf, phaseOf } from './handoff-phase.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff, viewNewest } from './handoff-view.js';
import { listHandoffs } from './list-handoffs.js';
import type { HandoffPhase, HandoffService, HandoffView } from './types.js';

type Args = Parameters<HandoffService['waitForHandoff']>[1];
type Waited = ReturnType<HandoffService['waitForHandoff']>;

export const MAX_WAIT_MS = fixedLimits.waitForHandoffMs.value;
/** Beyond this many entries, reading them costs more than returning the present state. */
const MAX_CATCH_UP = fixedLimits.waitCatchUpEntries.value;

export class HandoffWaits {
  readonly #deps: HandoffDependencies;
  readonly #texts: HandoffTextReader;

  constructor(deps: HandoffDependencies, texts: HandoffTextReader) {
    this.#deps = deps;
    this.#texts = texts;
  }

  async wait(principal: Principal, args: Args, signal: AbortSignal): Waited {
    const { handoffId, since, timeoutMs } = args;
    const position = await this.#deps.engine.position();
    const from =
      since === undefined ? { at: position, behind: 0 } : await locateMark(this.#deps.engine, since);
    if (!from) return { rejection: BAD_MARK };
    const found = handoffId === undefined ? undefined : await findHandoff(this.#deps, principal, handoffId);
    if (handoffId !== undefined && !found) return { rejection: handoffNotFound(handoffId) };
    const isOld = from.behind > MAX_CATCH_UP;
    const atOnce = isOld || (since === undefined && (await this.#nothingToWaitFor(principal, found)));
    if (atOnce) return this.#present(principal, args, position, isOld || !found);
    // It holds nothing for which it would have to be cut off.
    const admitted = this.#deps.listeners.admit(principal, () => {});
    if ('rejection' in admitted) return admitted;
    const ms = Math.max(0, Math.min(timeoutMs, MAX_WAIT_MS));
    try {
      return await this.#news(principal, args, found, from.at, { ms, signal });
    } finally {
      admitted.value.leave();
    }
  }

  async #news(
    principal: Principal,
    args: Args,
    found: FoundHandoff | undefined,
    from: Cursor,
    bounds: FollowBounds,
  ): Waited {
    let seen = from;
    for await (const { at, entry } of followFor(this.#deps.engine, from, bounds)) {
      seen = at;
      if (!(await this.#isNews(principal, found, entry))) continue;
      // The mark is taken before the handoffs are read, so that entries which come meanwhile are news again.
      return this.#changed(principal, found, entry, await endAfter(this.#deps.engine, at));
    }
    return this.#present(principal, args, seen, false);
  }

  async #nothingToWaitFor(principal: Principal, found: FoundHandoff | undefined): Promise<boolean> {
    if (found) return isOver(found.session, phaseOf(found)) || isTurnOf(found, principal.agent);
    return (await this.#turns(principal)).length > 0;
  }

  async #isNews(principal: Principal, found: FoundHandoff | undefined, entry: EntryHead): Promise<boolean> {
    const { stream, actor, facts, seq } = entry;
    if (stream.kind !== StreamKind.Session || stream.tenant !== principal.tenant || seq === 1) return false;
    if (actor === principal.agent && facts.implicit !== true) return false;
    if (found) return stream.id === found.ref.id;
    return (await this.#handoffsIn(principal, entry)).length > 0;
  }

  /** The caller's handoffs in the session of an entry. */
  async #handoffsIn(principal: Principal, { stream: ref }: EntryHead): Promise<readonly FoundHandoff[]> {
    if (ref.kind !== StreamKind.Session) return [];
    const session = (await this.#deps.engine.query(ref))?.state;
    if (!session) return [];
    return offersOf(session)
      .offers.map((offer) => ({ ref, session, offer }))
      .filter((handoff) => isParty(handoff, principal.agent));
  }

  async #changed(
    principal: Principal,
    found: FoundHandoff | undefined,
    entry: EntryHead,
    at: Cursor,
  ): Waited {
    const about = found ? await this.#again(found) : await this.#handoffsIn(principal, entry);
    const handoffs = await viewNewest(this.#texts, principal, about);
    return { value: { changed: true, handoffs, mark: encodeMark(at) } };
  }

  async #again(found: FoundHandoff): Promise<readonly FoundHandoff[]> {
    const session = (await this.#deps.engine.query(found.ref))?.state;
    return session ? [handoffIn(found, session)] : [];
  }

  /** Answers with the present state: the handoff that was named, or those where it is the caller's turn. */
  async #present(principal: Principal, { handoffId }: Args, at: Cursor, changed: boolean): Waited {
    const found = handoffId === undefined ? undefined : await findHandoff(this.#deps, principal, handoffId);
    const handoffs = found
      ? [await viewHandoff(this.#texts, principal, found)]
      : handoffId === undefined
        ? await this.#turns(principal)
        : [];
    return { value: { changed, handoffs, mark: encodeMark(at) } };
  }

  /** Open offers to the caller, then acceptances that wait for its commit. */
  async #turns(principal: Principal): Promise<readonly HandoffView[]> {
    return [
      ...(await this.#pending(principal, 'inbox', 'offered')),
      ...(await this.#pending(principal, 'outbox', 'accepted')),
    ];
  }

  async #pending(
    principal: Principal,
    box: 'inbox' | 'outbox',
    wanted: HandoffPhase,
  ): Promise<readonly HandoffView[]> {
    const page = await listHandoffs(this.#deps, this.#texts, principal, { box, status: 'pending' });
    return 'value' in page ? page.value.handoffs.filter(({ phase }) => phase === wanted) : [];
  }
}
