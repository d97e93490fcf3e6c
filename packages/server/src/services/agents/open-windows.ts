/**
 * Which windows of an agent are connected, and which conversation each of them holds, as far as its program says so. What is
 * known of a window stays known after it closed: the hook that reports its end comes later.
 */
import type { Principal } from '../../auth/principal.js';
import { BoundedCache } from '../bounded-cache.js';
import type { Connection } from '../connection.js';

type Who = Pick<Principal, 'tenant' | 'agent'>;

/** Whose a window is, for a conversation that asks. */
export type Whose = 'same' | 'other' | 'unknown';

const KEPT = { items: 10_000, weight: 4 * 1_048_576 };

export class OpenWindows {
  /** Connections of each window, by agent. */
  readonly #open = new Map<string, Map<string, number>>();
  readonly #conversations = new BoundedCache<string>(KEPT);

  /** Connected until the returned function is called. */
  joined(who: Who, { instance, client }: Pick<Connection, 'instance' | 'client'>): () => void {
    if (instance === undefined) return () => {};
    const agent = JSON.stringify([who.tenant, who.agent]);
    this.heardOf(who, { instance, ...(client && { client }) });
    const windows = this.#open.get(agent) ?? new Map<string, number>();
    this.#open.set(agent, windows.set(instance, (windows.get(instance) ?? 0) + 1));
    return () => {
      const left = (windows.get(instance) ?? 1) - 1;
      if (left > 0) windows.set(instance, left);
      else windows.delete(instance);
      if (windows.size === 0 && this.#open.get(agent) === windows) this.#open.delete(agent);
    };
  }

  /** Over HTTP no connection stays: what a request says of its window is kept all the same. */
  heardOf(who: Who, { instance, client }: Pick<Connection, 'instance' | 'client'>): void {
    const conversation = client?.session;
    if (instance === undefined || conversation === undefined) return;
    const window = windowKey(who, instance);
    this.#conversations.set(window, conversation, window.length + conversation.length + 64);
  }

  /** Where no program says it, a window is another's when it is connected and not the only one. */
  whose(who: Who, instance: string, conversation: string): Whose {
    const known = this.#conversations.get(windowKey(who, instance));
    if (known !== undefined) return known === conversation ? 'same' : 'other';
    const windows = this.#open.get(JSON.stringify([who.tenant, who.agent]));
    return windows?.has(instance) && windows.size > 1 ? 'other' : 'unknown';
  }
}

const windowKey = ({ tenant, agent }: Who, instance: string): string =>
  JSON.stringify([tenant, agent, instance]);
