/**
 * Looks for words in what the caller may read: the session with the newest activity first, inside it the newest entry
 * first. There is no index of plain text: the log is read, and a call reads so much of it and no more, in many turns of the
 * loop. Where it ended, the cursor goes on.
 */
import {
  type Entry,
  findIn,
  type Query,
  readableUpTo,
  readQuery,
  StreamKind,
  WorklogEntryType,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { LongWork } from '../../platform/long-work.js';
import { listedRows } from '../listed-rows.js';
import { pageToken, readPageToken } from '../page-token.js';
import { isInProject } from '../project.js';
import { piecesBackwards } from './backwards.js';
import { entryView, seqBefore } from './context-entries.js';
import type { HandoffDependencies } from './dependencies.js';
import { fieldFlaw } from './field-flaw.js';
import { badCursor } from './pages.js';
import type { HandoffService, SearchHit, SearchPage } from './types.js';
import { type FoundWorklog, sessionNotFound, type Worklogs } from './worklogs.js';

type Args = Parameters<HandoffService['searchContext']>[1];

const MAX_READ = fixedLimits.searchedBytes.value;
const MAX_ANSWER = fixedLimits.searchAnswerBytes.value;
const MAX_SESSIONS = fixedLimits.searchedSessions.value;
const DEFAULT_LIMIT = 10;

/** Where a search ended: before this entry of a session that had its last activity then. */
interface Place {
  readonly activity: number;
  readonly key: string;
  readonly before: number;
}

export async function searchContext(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  principal: Principal,
  { query: text, sessionKey, project, cursor, limit = DEFAULT_LIMIT }: Args,
): ReturnType<HandoffService['searchContext']> {
  const query = readQuery(text);
  if ('flaw' in query) return { rejection: fieldFlaw('query', query.flaw) };
  const place = cursor === undefined ? undefined : readPlace(cursor);
  if (cursor !== undefined && !place) return { rejection: badCursor() };
  const named = sessionKey === undefined ? undefined : await worklogs.find(principal, sessionKey);
  if (sessionKey !== undefined && !named) return { rejection: sessionNotFound(sessionKey) };
  const { sessions, all } = named
    ? { sessions: [named], all: true }
    : await readableSessions(deps, principal, project);
  const search = new Search(deps, query, limit);
  for (const session of sessions.filter((one) => !place || comesAfter(one, place))) {
    const before = place?.key === session.state.key ? place.before : Number.POSITIVE_INFINITY;
    if (!(await search.session(session, before))) break;
  }
  return { value: search.page(all) };
}

/** The newest activity first. More than so many are not sorted, and not searched. */
async function readableSessions(
  { engine }: HandoffDependencies,
  { tenant, agent }: Principal,
  project: string | undefined,
): Promise<{ readonly sessions: readonly FoundWorklog[]; readonly all: boolean }> {
  const found: FoundWorklog[] = [];
  for await (const { ref } of listedRows(engine, { tenant, kind: StreamKind.Worklog, agent })) {
    const state = (await engine.query(ref))?.state;
    const upTo = state && readableUpTo(state, agent);
    const isWanted = state && isInProject(state.project, project);
    if (isWanted && upTo !== undefined && upTo > 0) found.push({ ref, state, upTo });
    if (found.length > MAX_SESSIONS) break;
  }
  const sessions = found.slice(0, MAX_SESSIONS).sort((a, b) => (isNewer(orderOf(a), orderOf(b)) ? -1 : 1));
  return { sessions, all: found.length <= MAX_SESSIONS };
}

type Order = Pick<Place, 'activity' | 'key'>;

const orderOf = ({ state }: FoundWorklog): Order => ({ activity: state.lastActivityAt, key: state.key });

const isNewer = (a: Order, b: Order): boolean =>
  a.activity > b.activity || (a.activity === b.activity && a.key < b.key);

/** The session of the place is not done, whatever was written in it since. */
const comesAfter = (session: FoundWorklog, place: Place): boolean =>
  session.state.key === place.key || isNewer(place, orderOf(session));

class Search {
  readonly #deps: HandoffDependencies;
  readonly #query: Query;
  readonly #limit: number;
  readonly #hits: SearchHit[] = [];
  readonly #work = new LongWork();
  #read = 0;
  #bytes = 0;
  #place: Place | undefined;

  constructor(deps: HandoffDependencies, query: Query, limit: number) {
    this.#deps = deps;
    this.#query = query;
    this.#limit = limit;
  }

  /** False: this call has read or found enough, and `page` says where to go on. */
  async session(session: FoundWorklog, before: number): Promise<boolean> {
    const { store } = this.#deps;
    const upTo = Math.min(session.upTo, before - 1);
    const first = upTo < 1 ? undefined : await seqBefore(store, session.ref, { after: upTo - 1, upTo });
    if (first === undefined) return true;
    for await (const piece of piecesBackwards(store, session.ref, first + 1)) {
      this.#read += piece.reduce((sum, { payload }) => sum + payload.length, 0);
      for (const entry of piece.toReversed()) if (!(await this.#look(session, entry))) return false;
      const oldest = piece.find(({ type }) => type === WorklogEntryType.ContextAdded);
      if (this.#read < MAX_READ || !oldest) continue;
      this.#place = { ...orderOf(session), before: Number(oldest.facts.n) };
      return false;
    }
    return true;
  }

  async #look(session: FoundWorklog, entry: Entry): Promise<boolean> {
    if (entry.type !== WorklogEntryType.ContextAdded) return true;
    await this.#work.did(entry.payload.length);
    const { sequenceNumber, contextType, createdAt, author, content } = entryView(entry, this.#deps.codec);
    const snippet = await this.#work.run(findIn(content, this.#query));
    if (snippet === undefined) return true;
    const hit = { sessionKey: session.state.key, sequenceNumber, contextType, createdAt, author, snippet };
    const bytes = Buffer.byteLength(JSON.stringify(hit));
    const isFull = this.#hits.length >= this.#limit || this.#bytes + bytes > MAX_ANSWER;
    if (isFull && this.#hits.length > 0) {
      this.#place = { ...orderOf(session), before: sequenceNumber + 1 };
      return false;
    }
    this.#hits.push(hit);
    this.#bytes += bytes;
    return true;
  }

  /** `all`: no session was left out. */
  page(all: boolean): SearchPage {
    const place = this.#place;
    if (!place) return { hits: this.#hits, complete: all };
    const { activity, key, before } = place;
    const nextCursor = pageToken('search', JSON.stringify([activity, before, key]));
    return { hits: this.#hits, complete: false, nextCursor };
  }
}

function readPlace(cursor: string): Place | undefined {
  const text = cursor === '' ? undefined : readPageToken('search', cursor);
  try {
    const [activity, before, key] = JSON.parse(text ?? '[]') as readonly unknown[];
    if (!Number.isSafeInteger(activity) || !Number.isSafeInteger(before) || typeof key !== 'string')
      return undefined;
    return { activity: Number(activity), before: Number(before), key };
  } catch {
    return undefined;
  }
}
