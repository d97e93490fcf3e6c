/**
 * Which windows of an agent there are and were, and which conversation each of them holds.
 *
 * O1. A window whose program names its conversation is that one's and no other's.
 * O2. Programs need not say it. Of those windows that nobody names, a conversation has the one that was there when it
 *     happened, in its project, if there was only one.
 * O3. What is known of a window stays known after it closed: the hook that reports its end comes later.
 */
import type { Principal } from '../../auth/principal.js';
import { BoundedCache } from '../bounded-cache.js';
import type { Connection } from '../connection.js';
import { closestTo, isInProject, type ProjectTag } from '../project.js';

type Who = Pick<Principal, 'tenant' | 'agent'>;
type Window = Pick<Connection, 'instance' | 'client' | 'project'>;

/** What a hook reports, and when that was. */
export interface Happened {
  readonly conversation: string;
  readonly project?: ProjectTag;
  readonly at: number;
  /** The conversation ends with it, and so does its window. */
  readonly isEnd: boolean;
}

/** Whose a window is, for a conversation that asks. Gone: nobody's any more. */
export type Whose = 'same' | 'other' | 'unknown' | 'gone';

interface Life {
  readonly conversation?: string;
  readonly project?: ProjectTag;
  readonly from: number;
  /** When it closed, or was last heard of. */
  readonly to: number;
  readonly connections: number;
  /** It had a connection that ends with it. Over HTTP there is none: it may still be there a day after its last request. */
  readonly lasting: boolean;
}

type Lives = Map<string, Life>;

const KEPT = { items: 10_000, weight: 4 * 1_048_576 };
const LIFE_WEIGHT = 256;
/** Of one agent. */
const MOST_WINDOWS = 200;
const HTTP_MS = 86_400_000;
/** A window closes and its hook reports the end, in this order or the other. */
const ENDING_MS = 5_000;
/** Whoever comes soon after a start of the server was there before it. */
const REJOINING_MS = 60_000;

export class OpenWindows {
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #ofAgent = new BoundedCache<Lives>(KEPT);

  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  /** Connected until the returned function is called. */
  joined(who: Who, window: Window): () => void {
    const { instance } = window;
    if (instance === undefined) return () => {};
    this.#change(who, window, (life) => ({ ...life, connections: life.connections + 1, lasting: true }));
    return () =>
      this.#change(who, { instance }, (life) => ({
        ...life,
        connections: Math.max(0, life.connections - 1),
      }));
  }

  /** Over HTTP no connection stays: what a request says of its window is kept all the same. */
  heardOf(who: Who, window: Window): void {
    this.#change(who, window, (life) => life);
  }

  /** The windows that hold a conversation: those that are named so, the newest first, else the only one that it can be. */
  of(who: Who, happened: Happened): readonly string[] {
    const lives = [...this.#lives(who)].map(([instance, life]) => ({ instance, ...life }));
    const named = lives.filter(({ conversation }) => conversation === happened.conversation);
    if (named.length > 0) return named.sort((one, other) => other.from - one.from).map(instanceOf);
    const possible = lives.filter((life) => isPossible(life, happened));
    const closest = closestTo(possible, happened.project);
    return closest.length > 1 ? [] : closest.map(instanceOf);
  }

  /** Undefined: nothing was heard of it since the server started. */
  whose(who: Who, instance: string, happened: Happened): Whose | undefined {
    const life = this.#lives(who).get(instance);
    if (!life) return undefined;
    if (life.conversation !== undefined)
      return life.conversation === happened.conversation ? 'same' : 'other';
    if (this.of(who, happened).includes(instance)) return 'same';
    if (!life.lasting) return 'unknown';
    return life.connections > 0 || isThere(life, happened) ? 'other' : 'gone';
  }

  /** It was connected, and is no longer. */
  hasClosed(who: Who, instance: string): boolean {
    const life = this.#lives(who).get(instance);
    return life?.lasting === true && life.connections === 0;
  }

  isConnected(who: Who, instance: string): boolean {
    return (this.#lives(who).get(instance)?.connections ?? 0) > 0;
  }

  #lives(who: Who): Lives {
    return this.#ofAgent.get(keyOf(who)) ?? new Map();
  }

  #change(who: Who, { instance, client, project }: Window, change: (life: Life) => Life): void {
    if (instance === undefined) return;
    const now = this.#now();
    const lives = this.#lives(who);
    const isBack = now - this.#startedAt <= REJOINING_MS;
    const before = lives.get(instance) ?? {
      ...{ from: isBack ? 0 : now, to: now, connections: 0, lasting: false },
    };
    const conversation = client?.session;
    const life = change({
      ...before,
      to: now,
      ...(conversation !== undefined && { conversation }),
      ...(project && { project: { id: project.id, name: project.name } }),
    });
    // The one that was heard of last is the last.
    lives.delete(instance);
    lives.set(instance, life);
    for (const [oldest, { connections }] of lives)
      if (lives.size > MOST_WINDOWS && connections === 0) lives.delete(oldest);
    this.#ofAgent.set(keyOf(who), lives, lives.size * LIFE_WEIGHT);
  }
}

const instanceOf = ({ instance }: { readonly instance: string }): string => instance;

function isPossible(life: Life, happened: Happened): boolean {
  const { conversation, project } = life;
  return conversation === undefined && isInProject(project, happened.project?.id) && isThere(life, happened);
}

function isThere({ from, to, connections, lasting }: Life, { at, isEnd }: Happened): boolean {
  if (from > at) return false;
  return connections > 0 || at <= to + (lasting ? (isEnd ? ENDING_MS : 0) : HTTP_MS);
}

const keyOf = ({ tenant, agent }: Who): string => JSON.stringify([tenant, agent]);
