/**
 * Who is here, and who was. Beside the log, and never a right: it says whom work can be handed to, and when somebody was
 * last heard of. A note that cannot be stored is logged and fails nobody's call.
 */
import type { AgentSign, AgentStore, SeenAgent } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import type { Log } from '../../observe/log.js';
import { BoundedCache } from '../bounded-cache.js';
import type { Connection } from '../connection.js';
import { OpenWindows } from './open-windows.js';
import { isNobody, TOOK_PART } from './took-part.js';

export interface AgentDirectoryOptions {
  readonly agents: AgentStore;
  readonly now: () => number;
  readonly log: Log;
  /** Names of assistants of this machine that were connected to this server, and may not have come yet. */
  readonly installed?: () => readonly string[];
}

type Who = Pick<Principal, 'tenant' | 'agent'>;

/** A note for every request would be a write for every read. */
const NOTED_EVERY_MS = 60_000;
/** Over HTTP nobody stays connected between two calls. */
const HERE_FOR_MS = 5 * 60_000;
const KEPT = { items: 10_000, weight: 4 * 1_048_576 };

export class AgentDirectory {
  readonly #options: AgentDirectoryOptions;
  /** When it last called, and when that was last noted. */
  readonly #calls = new BoundedCache<{ readonly at: number; readonly noted: number }>(KEPT);
  readonly #open = new Map<string, number>();
  readonly windows: OpenWindows;

  constructor(options: AgentDirectoryOptions) {
    this.#options = options;
    this.windows = new OpenWindows(options.now);
  }

  /** A connection that lasts until the returned function is called. */
  joined(who: Who, window: Pick<Connection, 'instance' | 'client' | 'project'> = {}): () => void {
    const key = keyOf(who);
    const close = this.windows.joined(who, window);
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    void this.#note(who, { at: this.#options.now() });
    return () => {
      close();
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
      void this.#note(who, { at: this.#options.now() });
    };
  }

  /** One request, over HTTP perhaps of a window that says which conversation it holds. */
  called(who: Who, window: Pick<Connection, 'instance' | 'client' | 'project'> = {}): void {
    this.windows.heardOf(who, window);
    const key = keyOf(who);
    const at = this.#options.now();
    const { noted } = this.#calls.get(key) ?? { noted: Number.NEGATIVE_INFINITY };
    const isDue = at - noted >= NOTED_EVERY_MS;
    this.#calls.set(key, { at, noted: isDue ? at : noted }, key.length + 64);
    if (isDue) void this.#note(who, { at });
  }

  /** Its program says that it was at work in this project, or in none, at this time. Resolves once that is noted. */
  atWork(who: Who, project: string | undefined, at = this.#options.now()): Promise<void> {
    return this.#note(who, { at, heartbeatIn: project ?? '' });
  }

  /**
   * It has been shown all that waited for it in this project, or in all of them, up to this time. A person may look for a
   * name that nobody has: that makes no agent of it.
   */
  async looked(who: Who, project: string | undefined, at: number): Promise<void> {
    if ((await this.lastSeenAt(who)) === null) return;
    return this.#note(who, { at: Math.min(at, this.#options.now()), lookIn: project ?? '' });
  }

  isConnected(who: Who): boolean {
    const key = keyOf(who);
    const { at } = this.#calls.get(key) ?? { at: Number.NEGATIVE_INFINITY };
    return this.#open.has(key) || this.#options.now() - at < HERE_FOR_MS;
  }

  /** Everybody of the tenant who ever came or took part; those who were here last come first. */
  async everybody(tenant: string, limit: number): Promise<readonly SeenAgent[]> {
    const listed = await this.#options.agents.list(tenant, limit + 1, TOOK_PART);
    return listed.filter(({ agent }) => !isNobody(agent)).slice(0, limit);
  }

  /** Those, too, whom their user has only connected so far: the first work may be handed to one of them. */
  async everybodyHere(tenant: string, limit: number): Promise<readonly SeenAgent[]> {
    const seen = await this.everybody(tenant, limit);
    const names = new Set(seen.map(({ agent }) => agent));
    const installed = (this.#options.installed?.() ?? []).filter((agent) => !names.has(agent));
    return [...seen, ...installed.map((agent) => ({ agent, lastSeenAt: null }))].slice(0, limit);
  }

  async lastSeenAt({ tenant, agent }: Who): Promise<number | null> {
    return (await this.#options.agents.find(tenant, agent))?.lastSeenAt ?? null;
  }

  #note({ tenant, agent }: Who, sign: Omit<AgentSign, 'tenant' | 'agent'>): Promise<void> {
    const { agents, log } = this.#options;
    return agents
      .note({ ...sign, tenant, agent })
      .catch((error: unknown) => log.warn('agents.not_noted', { agent, error }));
  }
}

const keyOf = ({ tenant, agent }: Who): string => JSON.stringify([tenant, agent]);
