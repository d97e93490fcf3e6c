/**
 * The working session that a window of an assistant is at: the one that it wrote to, registered, resumed or handed off
 * last; else the one that a hook opened for the same conversation. The log says which window wrote last, so a new
 * process of the server finds it again.
 *
 * C1. Only an active one to which the caller may still write: what was closed or handed on is nobody's present work.
 * C2. A caller without a window and without a conversation is at none.
 * C3. Looking for one in the log reads a bounded number of working sessions, the newest first.
 */
import { mayWrite, StreamKind, type WorklogState, WorklogStatus } from '@handover/core';
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
  readonly #known = new BoundedCache<{ readonly sessionKey: string; readonly at: number }>(KEPT);

  constructor({ engine, now }: Pick<HandoffDependencies, 'engine' | 'now'>, worklogs: Worklogs) {
    this.#engine = engine;
    this.#now = now;
    this.#worklogs = worklogs;
  }

  /** The caller works on this one now. */
  note(principal: Principal, window: Window | undefined, sessionKey: string): void {
    this.#note(principal, window, { sessionKey, at: this.#now() });
  }

  /** When the window last did something with the working session that it is at. */
  lastAt(principal: Principal, window: Window | undefined, { ref, state }: FoundWorklog): number {
    const key = keyOf(principal, window);
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known?.sessionKey === ref.id) return known.at;
    return window && isWrittenBy(state, principal, window) ? (state.lastInstanceAt ?? 0) : 0;
  }

  #note(
    principal: Principal,
    window: Window | undefined,
    known: { readonly sessionKey: string; readonly at: number },
  ): void {
    const key = keyOf(principal, window);
    if (key !== undefined) this.#known.set(key, known, key.length + known.sessionKey.length + 72);
  }

  async find(principal: Principal, window: Window | undefined): Promise<FoundWorklog | undefined> {
    const key = keyOf(principal, window);
    const known = key === undefined ? undefined : this.#known.get(key);
    const noted = known === undefined ? undefined : await this.#open(principal, known.sessionKey);
    if (noted || !window) return noted;
    const candidates = await this.#candidates(principal, window);
    const found = candidates.reduce<FoundWorklog | undefined>(
      (best, one) => (best && isBefore(best.state, one.state, principal, window) ? best : one),
      undefined,
    );
    if (found) {
      const at = this.lastAt(principal, window, found);
      this.#note(principal, window, { sessionKey: found.ref.id, at });
    }
    return found;
  }

  async #candidates(principal: Principal, window: Window): Promise<readonly FoundWorklog[]> {
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
    const candidates: FoundWorklog[] = [];
    for (const id of keys) {
      const found = await this.#open(principal, id);
      if (found && isOf(found.state, principal, window)) candidates.push(found);
    }
    return candidates;
  }

  async #open(principal: Principal, sessionKey: string): Promise<FoundWorklog | undefined> {
    const found = await this.#worklogs.find(principal, sessionKey);
    return found && found.state.status === WorklogStatus.Active && mayWrite(found.state, principal.agent)
      ? found
      : undefined;
  }
}

function keyOf({ tenant, agent }: Principal, window: Window | undefined): string | undefined {
  return window?.instance === undefined ? undefined : JSON.stringify([tenant, agent, window.instance]);
}

const isOf = (state: WorklogState, principal: Principal, window: Window): boolean =>
  isWrittenBy(state, principal, window) || isHooked(state, principal, window);

function isWrittenBy(
  { lastInstance, lastInstanceBy }: WorklogState,
  { agent }: Principal,
  { instance }: Window,
): boolean {
  return instance !== undefined && lastInstance === instance && lastInstanceBy === agent;
}

function isHooked(
  { clientSession, agentFrom }: WorklogState,
  { agent }: Principal,
  { client }: Window,
): boolean {
  return clientSession !== undefined && clientSession === client?.session && agentFrom === agent;
}

/** What the window wrote to comes before what a hook opened for it; of two of a kind the newer one. */
function isBefore(one: WorklogState, other: WorklogState, principal: Principal, window: Window): boolean {
  const [mine, its] = [isWrittenBy(one, principal, window), isWrittenBy(other, principal, window)];
  if (mine !== its) return mine;
  return mine ? (one.lastInstanceAt ?? 0) >= (other.lastInstanceAt ?? 0) : one.createdAt >= other.createdAt;
}
