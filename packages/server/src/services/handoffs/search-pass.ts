/**
 * One call of a search: reads the entries of a session from the newest on, then what was sent with the handoffs that brought
 * it to its owners, until it has read or found enough.
 */
import { type Entry, findIn, mayReadSent, type Query, WorklogEntryType } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { LongWork } from '../../platform/long-work.js';
import type { Attachments } from './attachments.js';
import { piecesBackwards } from './backwards.js';
import { entryView, seqBefore } from './context-entries.js';
import type { HandoffDependencies } from './dependencies.js';
import { lookUp } from './find-handoff.js';
import { formatHandoffId } from './ids.js';
import { cursorOf, orderOf, type SearchPlace, type SentPlace } from './search-place.js';
import type { AttachmentContent, SearchHit, SearchPage } from './types.js';
import type { FoundWorklog } from './worklogs.js';

const MAX_READ = fixedLimits.searchedBytes.value;
const MAX_ANSWER = fixedLimits.searchAnswerBytes.value;
/** An entry or an attachment with all that is said about it. */
const ENTRY_BYTES = 1_048_576 + 262_144;
const HANDOFF_BYTES = fixedLimits.searchedHandoffBytes.value;
/** Where the entries of a session are done. */
const NO_ENTRY = 1;
const ALL = { before: Number.POSITIVE_INFINITY };

type Wanted = Pick<SearchPlace, 'before' | 'sent'>;

export class SearchPass {
  readonly #deps: HandoffDependencies;
  readonly #attachments: Attachments;
  readonly #agent: string;
  readonly #query: Query;
  readonly #limit: number;
  readonly #hits: SearchHit[] = [];
  readonly #work = new LongWork();
  #read = 0;
  /** It has looked at something. */
  #goesOn = false;
  #bytes = 0;
  #place: SearchPlace | undefined;

  constructor(
    deps: HandoffDependencies,
    attachments: Attachments,
    agent: string,
    wanted: { readonly query: Query; readonly limit: number },
  ) {
    this.#deps = deps;
    this.#attachments = attachments;
    this.#agent = agent;
    this.#query = wanted.query;
    this.#limit = wanted.limit;
  }

  /** False: this call has read or found enough, and `page` says where to go on. */
  async session(session: FoundWorklog, from: Wanted = ALL): Promise<boolean> {
    return (await this.#entries(session, from.before)) && (await this.#sent(session, from.sent));
  }

  /** `all`: no session was left out. */
  page(all: boolean): SearchPage {
    const place = this.#place;
    if (!place) return { hits: this.#hits, complete: all };
    return { hits: this.#hits, complete: false, nextCursor: cursorOf(place) };
  }

  async #entries(session: FoundWorklog, before: number): Promise<boolean> {
    const { store } = this.#deps;
    const upTo = Math.min(session.upTo, before - 1);
    const first = upTo < 1 ? undefined : await seqBefore(store, session.ref, { after: upTo - 1, upTo });
    if (first === undefined) return true;
    let seen = upTo + 1;
    let isEnough = false;
    const meter = {
      did: (bytes: number) => {
        this.#read += bytes;
      },
      hasRoom: () => {
        isEnough = this.#isEnough();
        return !isEnough;
      },
    };
    for await (const piece of piecesBackwards(store, session.ref, first + 1, meter)) {
      for (const entry of piece.toReversed()) if (!(await this.#look(session, entry))) return false;
      const oldest = piece.find(({ type }) => type === WorklogEntryType.ContextAdded);
      if (oldest) seen = Number(oldest.facts.n);
      this.#goesOn ||= oldest !== undefined;
    }
    return !isEnough || this.#stop(session, { before: seen });
  }

  /** One entry more could be too much. A call that has looked at nothing yet goes on, so that each comes further. */
  #isEnough(): boolean {
    return this.#goesOn && this.#read + ENTRY_BYTES > MAX_READ;
  }

  async #look(session: FoundWorklog, entry: Entry): Promise<boolean> {
    if (entry.type !== WorklogEntryType.ContextAdded) return true;
    await this.#work.did(entry.payload.length);
    const { sequenceNumber, contextType, createdAt, author, content } = entryView(entry, this.#deps.codec);
    const about = { sessionKey: session.state.key, sequenceNumber, contextType, createdAt, author };
    return (await this.#found(content, about)) || this.#stop(session, { before: sequenceNumber + 1 });
  }

  async #sent(session: FoundWorklog, from: SentPlace | undefined): Promise<boolean> {
    const { state, ref } = session;
    for (const [index, transfer] of [...state.transfers.entries()].toReversed()) {
      const isDone = from !== undefined && index > from.transfer;
      if (isDone || !mayReadSent(state, index, this.#agent)) continue;
      const { sessionId, handoffId: offerId, from: author, upTo } = transfer;
      const first = from?.transfer === index ? from.attachment : 1;
      if (this.#isEnough()) return this.#stop(session, sentAt(index, first));
      this.#read += HANDOFF_BYTES;
      this.#goesOn = true;
      await this.#work.did(HANDOFF_BYTES);
      const found = await lookUp(this.#deps, ref.tenant, { sessionId, offerId });
      if (!found) continue;
      const about = { sessionKey: state.key, handoffId: formatHandoffId(sessionId, offerId), author };
      for await (const one of this.#attachments.contents(found, first)) {
        this.#read += one.bytes;
        const hit = { ...about, ...attachmentHit(one), sequenceNumber: upTo };
        if (!(await this.#found(one.text ?? '', hit)))
          return this.#stop(session, sentAt(index, one.attachment));
        if (this.#isEnough()) return this.#stop(session, sentAt(index, one.attachment + 1));
      }
    }
    return true;
  }

  /** False: the words are there, and the answer has no room for it. */
  async #found(text: string, about: Omit<SearchHit, 'snippet'>): Promise<boolean> {
    const snippet = await this.#work.run(findIn(text, this.#query));
    if (snippet === undefined) return true;
    const hit = { ...about, snippet };
    const bytes = Buffer.byteLength(JSON.stringify(hit));
    const isFull = this.#hits.length >= this.#limit || this.#bytes + bytes > MAX_ANSWER;
    if (isFull && this.#hits.length > 0) return false;
    this.#hits.push(hit);
    this.#bytes += bytes;
    return true;
  }

  #stop(session: FoundWorklog, at: Wanted): false {
    this.#place = { ...orderOf(session), ...at };
    return false;
  }
}

const sentAt = (transfer: number, attachment: number): Wanted => ({
  before: NO_ENTRY,
  sent: { transfer, attachment },
});

const attachmentHit = ({ attachment, createdAt }: AttachmentContent) => ({
  ...{ attachment, createdAt },
  contextType: 'attachment',
});
