/**
 * The working session that a window of an assistant is at: the one that it wrote to, registered, resumed or handed off
 * last; else the one that a hook opened for the same conversation. The log says which window wrote last, so a new
 * process of the server finds it again.
 *
 * C1. Only an active one to which the caller may still write: what was closed or handed on is nobody's present work.
 * C2. A caller without a window and without a conversation is at none.
 *     One that another has now is not replaced by an older one: the window is at none until it goes on with something.
 * C3. Looking for one in the log reads a bounded number of working sessions, the newest first.
 */
import { mayWrite, noteAbout, StreamKind, type WorklogState, WorklogStatus } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { BoundedCache } from '../bounded-cache.js';
import type { Connection } from '../connection.js';
import type { HandoffDependencies } from './dependencies.js';
import type { FoundWorklog, Worklogs } from './worklogs.js';

type Window = Pick<Connection, 'instance' | 'client'>;

/** Which working sessions there are, and which one the caller is at. */
export interface SessionParts {
  readonly worklogs: Worklogs;
  readonly current: CurrentSessions;
}

/** Where a window is. */
export interface Whereabouts {
  readonly at?: FoundWorklog;
  /** What it was at, and another has now. */
  readonly gone?: FoundWorklog;
  /** At none: the open sessions of its agent. */
  readonly own?: readonly WorklogState[];
}

/** One that it may be at. */
interface Candidate {
  readonly found: FoundWorklog;
  readonly isGone: boolean;
  /** The window wrote to it. */
  readonly isWritten: boolean;
  readonly at: number;
}

interface Known {
  readonly sessionKey: string;
  readonly at: number;
  /** The last that it did was to offer it to somebody. */
  readonly isOffered?: boolean;
}

const KEPT = { items: 10_000, weight: 4 * 1024 * 1024 };
/** How one comes to a working session to which one may write. */
const ROLES = ['source', 'owner', 'collaborator'] as const;
/** As lists have it. */
const OPEN: readonly string[] = ['active', 'dormant'];
/** Of each role. */
const SEARCHED = 100;

export class CurrentSessions {
  readonly #engine: HandoffDependencies['engine'];
  readonly #worklogs: Worklogs;
  readonly #now: () => number;
  /** The working session, and since when it is known that the window is at it, by window. */
  readonly #known = new BoundedCache<Known>(KEPT);

  constructor({ engine, now }: Pick<HandoffDependencies, 'engine' | 'now'>, worklogs: Worklogs) {
    this.#engine = engine;
    this.#now = now;
    this.#worklogs = worklogs;
  }

  /** The caller works on this one now. */
  note(principal: Principal, window: Window | undefined, sessionKey: string): void {
    this.#note(principal, window, { sessionKey, at: this.#now() });
  }

  /** The caller has offered it to somebody: it may go on with it, or with something else. */
  noteOffered(principal: Principal, window: Window | undefined, sessionKey: string): void {
    this.#note(principal, window, { sessionKey, at: this.#now(), isOffered: true });
  }

  /** When the window last did something with the working session that it is at, and whether that was to offer it. */
  lastDeed(
    principal: Principal,
    window: Window | undefined,
    { ref, state }: FoundWorklog,
  ): Pick<Known, 'at' | 'isOffered'> {
    const key = keyOf(principal, window);
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known?.sessionKey === ref.id) return known;
    return { at: window && isWrittenBy(state, principal, window) ? (state.lastInstanceAt ?? 0) : 0 };
  }

  #note(principal: Principal, window: Window | undefined, known: Known): void {
    const key = keyOf(principal, window);
    if (key !== undefined) this.#known.set(key, known, key.length + known.sessionKey.length + 72);
  }

  async find(principal: Principal, window: Window | undefined): Promise<FoundWorklog | undefined> {
    return (await this.look(principal, window)).at;
  }

  async look(principal: Principal, window: Window | undefined): Promise<Whereabouts> {
    const key = keyOf(principal, window);
    const known = key === undefined ? undefined : this.#known.get(key);
    const noted = known && (await this.#worklogs.find(principal, known.sessionKey));
    if (noted && isGone(noted, principal)) return { gone: noted };
    if (noted && isOpen(noted, principal)) return { at: noted };
    if (!window) return {};
    const listed = await this.#listed(principal, window);
    const best = listed
      .flatMap((found) => candidateOf(found, principal, window) ?? [])
      .reduce<Candidate | undefined>(
        (before, one) => (before && isBefore(before, one) ? before : one),
        undefined,
      );
    if (!best) {
      const { agent } = principal;
      const own = listed.filter((found) => found.state.owner === agent && isOpen(found, principal));
      return { own: own.map(({ state }) => state) };
    }
    const { found, isWritten, at } = best;
    this.#note(principal, window, { sessionKey: found.ref.id, at: isWritten ? at : 0 });
    return best.isGone ? { gone: found } : { at: found };
  }

  async #listed(principal: Principal, window: Window): Promise<readonly FoundWorklog[]> {
    if (window.instance === undefined && window.client?.session === undefined) return [];
    const { tenant, agent } = principal;
    const list = { tenant, kind: StreamKind.Worklog, agent, limit: SEARCHED, newestFirst: { idPrefix: '' } };
    const pages = await Promise.all(ROLES.map((role) => this.#engine.list({ ...list, role })));
    const keys = new Set(
      pages
        .flat()
        .filter(({ row }) => OPEN.includes(row.state))
        .map(({ ref }) => ref.id),
    );
    const listed: FoundWorklog[] = [];
    for (const id of keys) {
      const found = await this.#worklogs.find(principal, id);
      if (found && noteAbout(found.state) === undefined) listed.push(found);
    }
    return listed;
  }
}

const isOpen = ({ state }: FoundWorklog, { agent }: Principal): boolean =>
  state.status === WorklogStatus.Active && mayWrite(state, agent);

const isGone = ({ state }: FoundWorklog, { agent }: Principal): boolean => !mayWrite(state, agent);

function candidateOf(found: FoundWorklog, principal: Principal, window: Window): Candidate | undefined {
  const { state } = found;
  if (isGone(found, principal)) {
    const at = gaveAwayAt(state, principal, window);
    return at === undefined ? undefined : { found, isGone: true, isWritten: true, at };
  }
  if (!isOpen(found, principal)) return undefined;
  if (isWrittenBy(state, principal, window))
    return { found, isGone: false, isWritten: true, at: state.lastInstanceAt ?? 0 };
  return isHooked(state, principal, window)
    ? { found, isGone: false, isWritten: false, at: state.createdAt }
    : undefined;
}

function keyOf({ tenant, agent }: Principal, window: Window | undefined): string | undefined {
  return window?.instance === undefined ? undefined : JSON.stringify([tenant, agent, window.instance]);
}

function isWrittenBy(
  { lastInstance, lastInstanceBy }: WorklogState,
  { agent }: Principal,
  { instance }: Window,
): boolean {
  return instance !== undefined && lastInstance === instance && lastInstanceBy === agent;
}

/** When the window last wrote to what was its agent's then. */
function gaveAwayAt(
  { transfers }: WorklogState,
  { agent }: Principal,
  { instance }: Window,
): number | undefined {
  return transfers.findLast(
    ({ from, window }) => from === agent && instance !== undefined && window?.instance === instance,
  )?.window?.at;
}

function isHooked(
  { clientSession, agentFrom }: WorklogState,
  { agent }: Principal,
  { client }: Window,
): boolean {
  return clientSession !== undefined && clientSession === client?.session && agentFrom === agent;
}

/** What the window wrote to comes before what a hook opened for it; of two of a kind the newer one. */
function isBefore(one: Candidate, other: Candidate): boolean {
  return one.isWritten === other.isWritten ? one.at >= other.at : one.isWritten;
}
