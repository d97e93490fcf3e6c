/**
 * Waiting for news: follows the feed of the log, so nothing is polled and nothing between two calls is missed.
 *
 * V1. News is what somebody else, or the runtime, did to a handoff that the caller offered or was offered.
 * V2. The mark is a place in the log. What happened up to it is in the handoffs that were returned with it.
 * V3. Without a mark an inbox that already holds an open offer is news, and a handoff that is over, or in which it is the
 *     caller's turn, is answered at once.
 */
import {
  type EntryHead,
  offersOf,
  type Rejection,
  RejectionCode,
  rejectWith,
  type SessionState,
  StreamKind,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { timedSignal } from '../../platform/timed-signal.js';
import { follow } from '../follow.js';
import type { DeskParts } from './dependencies.js';
import { type FoundHandoff, findHandoff, handoffIn, handoffNotFound, isParty } from './find-handoff.js';
import { isOver, isTurnOf, phaseOf } from './handoff-phase.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff } from './handoff-view.js';
import { decodeMark, encodeMark } from './ids.js';
import { listHandoffs } from './list-handoffs.js';
import type { HandoffDesk, HandoffView } from './types.js';

type Args = Parameters<HandoffDesk['waitForHandoff']>[1];
type Waited = ReturnType<HandoffDesk['waitForHandoff']>;

export const MAX_WAIT_MS = 50_000;
/** Further back than this, going through what happened costs more than telling how things stand. */
const MAX_CATCH_UP = 5_000;

export class HandoffWaits {
  readonly #parts: DeskParts;
  readonly #texts: HandoffTextReader;

  constructor(parts: DeskParts, texts: HandoffTextReader) {
    this.#parts = parts;
    this.#texts = texts;
  }

  async wait(who: Principal, args: Args, signal: AbortSignal): Waited {
    const { handoffId, since, timeoutMs } = args;
    const marked = since === undefined ? undefined : decodeMark(since);
    if (since !== undefined && marked === undefined) return { rejection: badMark() };
    const position = await this.#parts.engine.position();
    const from = Math.min(marked ?? position, position);
    const found = handoffId === undefined ? undefined : await findHandoff(this.#parts, who, handoffId);
    if (handoffId !== undefined && !found) return { rejection: handoffNotFound(handoffId) };
    const isOld = position - from > MAX_CATCH_UP;
    const atOnce = isOld || (await this.#nothingToWaitFor(who, found, marked));
    if (atOnce) return this.#present(who, args, position, isOld || !found);
    const until = timedSignal(signal, Math.max(0, Math.min(timeoutMs, MAX_WAIT_MS)));
    try {
      return await this.#news(who, args, found, from, until.signal);
    } finally {
      until.release();
    }
  }

  async #news(
    who: Principal,
    args: Args,
    found: FoundHandoff | undefined,
    from: number,
    until: AbortSignal,
  ): Waited {
    let seen = from;
    for await (const { pos, entry } of follow(this.#parts.engine, from, until)) {
      seen = pos;
      if (!(await this.#isNews(who, found, entry))) continue;
      // Taken before the handoffs are read, so that whatever comes while they are is news again.
      const mark = await this.#parts.engine.position();
      return this.#changed(who, found, entry, Math.max(pos, mark));
    }
    return this.#present(who, args, seen, false);
  }

  async #nothingToWaitFor(
    who: Principal,
    found: FoundHandoff | undefined,
    marked: number | undefined,
  ): Promise<boolean> {
    if (marked !== undefined) return false;
    if (found) return isOver(found.session, phaseOf(found)) || isTurnOf(found, who.agent);
    return (await this.#openInbox(who)).length > 0;
  }

  async #isNews(who: Principal, found: FoundHandoff | undefined, entry: EntryHead): Promise<boolean> {
    const { stream, actor, facts, seq } = entry;
    if (stream.kind !== StreamKind.Session || stream.tenant !== who.tenant || seq === 1) return false;
    if (actor === who.agent && facts.implicit !== true) return false;
    if (found) return stream.id === found.ref.id;
    return (await this.#handoffsIn(who, entry)).length > 0;
  }

  /** The caller's handoffs in the session of an entry. */
  async #handoffsIn(who: Principal, { stream: ref }: EntryHead): Promise<readonly FoundHandoff[]> {
    const session = (await this.#parts.engine.query(ref))?.state as SessionState | undefined;
    if (!session) return [];
    return offersOf(session)
      .offers.map((offer) => ({ ref, session, offer }))
      .filter((handoff) => isParty(handoff, who.agent));
  }

  async #changed(
    who: Principal,
    found: FoundHandoff | undefined,
    entry: EntryHead,
    position: number,
  ): Waited {
    const about = found ? await this.#again(found) : await this.#handoffsIn(who, entry);
    const handoffs = await Promise.all(about.map((handoff) => viewHandoff(this.#texts, who, handoff)));
    return { value: { changed: true, handoffs, mark: encodeMark(position) } };
  }

  async #again(found: FoundHandoff): Promise<readonly FoundHandoff[]> {
    const session = (await this.#parts.engine.query(found.ref))?.state as SessionState | undefined;
    return session ? [handoffIn(found, session)] : [];
  }

  /** How things stand: the handoff that was named, or what waits in the inbox. */
  async #present(who: Principal, { handoffId }: Args, position: number, changed: boolean): Waited {
    const found = handoffId === undefined ? undefined : await findHandoff(this.#parts, who, handoffId);
    const handoffs = found
      ? [await viewHandoff(this.#texts, who, found)]
      : handoffId === undefined
        ? await this.#openInbox(who)
        : [];
    return { value: { changed, handoffs, mark: encodeMark(position) } };
  }

  async #openInbox(who: Principal): Promise<readonly HandoffView[]> {
    const box = await listHandoffs(this.#parts, this.#texts, who, { box: 'inbox', status: 'pending' });
    return 'value' in box ? box.value.handoffs.filter(({ phase }) => phase === 'offered') : [];
  }
}

function badMark(): Rejection {
  return rejectWith(RejectionCode.VALIDATION_ERROR, 'since is not a mark that this server gave', {
    field: 'since',
  });
}
