/**
 * What must be said again to a new server when the old one has died, so that the client does not notice.
 *
 * V1. No line is changed. What the client opened the connection with, and what it subscribed to, is kept; so is every
 *     request without an answer.
 * V2. The client gets every answer once: what it had before, and what it never asked for, is dropped.
 * V3. A newer server may answer the opening otherwise. If it speaks another revision of the protocol, the client must
 *     know, and only a new connection tells it.
 * V4. What is kept is bounded: requests and subscriptions together. Beyond the bound nothing can be said again, and the
 *     connection ends with its server.
 * V5. What was subscribed to may have changed while nobody followed it. As soon as the new server follows it, the client
 *     is told that it changed: to read once too often is harmless, never to look again is not.
 */
import { isFields } from '@handover/core';

/** What becomes of a line of the server. */
export type Passage = 'pass' | 'drop' | 'another-revision';

interface Said {
  readonly line: string;
  /** The id of the request, as a JSON text; none: a notification. */
  readonly id?: string;
}

interface Opening extends Said {
  readonly id: string;
  /** Of the answer that the client has. */
  revision?: unknown;
}

export const MAX_KEPT_BYTES = 64 * 1_048_576;

export class Conversation {
  #initialize: Opening | undefined;
  #initialized: Said | undefined;
  /** By address. */
  readonly #subscribed = new Map<string, Said>();
  readonly #unanswered = new Map<string, Said>();
  /** Requests that were said again although the client has their answer. */
  readonly #repeated = new Set<string>();
  /** By the id of a subscription that was said again: the addresses whose changes may have been missed. */
  readonly #unheard = new Map<string, readonly Notice[]>();
  #missed: string[] = [];
  #bytes = 0;
  #lost = false;

  /** Whether a new server can be told all that it must know. */
  get canGoOn(): boolean {
    return !this.#lost;
  }

  get unanswered(): readonly string[] {
    return [...this.#unanswered.keys()];
  }

  fromClient(line: string): void {
    const message = parsed(line);
    if (!isFields(message) || typeof message.method !== 'string') return;
    const { method, params } = message;
    const id = idOf(message.id);
    const said: Said = { line, ...(id !== undefined && { id }) };
    if (method === 'notifications/initialized') this.#initialized = said;
    if (method === 'notifications/cancelled' && isFields(params)) this.#forget(idOf(params.requestId));
    if (id === undefined) return;
    if (method === 'initialize') this.#initialize = { line, id };
    const address = isFields(params) && typeof params.uri === 'string' ? params.uri : undefined;
    if (method === 'resources/subscribe' && address !== undefined) this.#subscribe(address, said);
    if (method === 'resources/unsubscribe' && address !== undefined) this.#unsubscribe(address);
    this.#forget(id);
    this.#unanswered.set(id, said);
    this.#bytes += sizeOf(said);
    if (this.#bytes > MAX_KEPT_BYTES) this.#lose();
  }

  fromServer(line: string): Passage {
    const message = parsed(line);
    if (!isFields(message)) return 'pass';
    if (typeof message.method === 'string') {
      // Over one request for many addresses, the first line that bears its id says that it is in force.
      this.#follows(subscriptionOf(message.params));
      return 'pass';
    }
    const id = idOf(message.id);
    // An error that answers no request, such as one about a line that could not be read.
    if (id === undefined) return 'pass';
    const revision = isFields(message.result) ? message.result.protocolVersion : undefined;
    const opening = this.#initialize?.id === id ? this.#initialize : undefined;
    this.#follows(id);
    if (this.#repeated.delete(id))
      return opening && revision !== opening.revision ? 'another-revision' : 'drop';
    if (!this.#unanswered.has(id)) return 'drop';
    if (opening) opening.revision = revision;
    if ('error' in message) this.#notSubscribed(id);
    this.#forget(id);
    return 'pass';
  }

  /** The lines for a new server, in order. */
  again(): readonly string[] {
    this.#repeated.clear();
    this.#unheard.clear();
    for (const [uri, { id }] of this.#subscribed) if (id !== undefined) this.#unheard.set(id, [{ uri }]);
    for (const [id, { line }] of this.#unanswered) {
      const listened = listenedTo(line);
      if (listened.length > 0) this.#unheard.set(id, listened);
    }
    const known = [this.#initialize, this.#initialized, ...this.#subscribed.values()].filter(
      (said) => said !== undefined,
    );
    const old = known.filter(({ id }) => id === undefined || !this.#unanswered.has(id));
    for (const { id } of old) if (id !== undefined) this.#repeated.add(id);
    return [...old, ...this.#unanswered.values()].map(({ line }) => line);
  }

  /** What the client is told after the line that was passed or dropped last (V5). */
  missed(): readonly string[] {
    const lines = this.#missed;
    this.#missed = [];
    return lines;
  }

  #follows(id: string | undefined): void {
    if (id === undefined) return;
    for (const notice of this.#unheard.get(id) ?? []) this.#missed.push(updated(notice));
    this.#unheard.delete(id);
  }

  /** Nothing more is expected of these; the client is told so. */
  giveUp(message: string): readonly string[] {
    const error = JSON.stringify({ code: INTERNAL, message });
    const lines = this.unanswered.map((id) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`);
    for (const id of this.unanswered) {
      this.#notSubscribed(id);
      // The client does not take this connection for open: it opens it anew, or leaves.
      if (this.#initialize?.id === id) this.#initialize = undefined;
      this.#forget(id);
    }
    return lines;
  }

  #forget(id: string | undefined): void {
    const said = id === undefined ? undefined : this.#unanswered.get(id);
    if (id === undefined || !said) return;
    this.#unanswered.delete(id);
    this.#bytes -= sizeOf(said);
  }

  #subscribe(address: string, said: Said): void {
    this.#unsubscribe(address);
    this.#subscribed.set(address, said);
    this.#bytes += sizeOf(said);
  }

  /** The request of this id has failed. */
  #notSubscribed(id: string): void {
    for (const [address, said] of this.#subscribed) if (said.id === id) this.#unsubscribe(address);
  }

  #unsubscribe(address: string): void {
    const said = this.#subscribed.get(address);
    if (!said) return;
    this.#subscribed.delete(address);
    this.#bytes -= sizeOf(said);
  }

  /** Nothing can be said again, so no line is kept; the ids are, since their answers are still passed. */
  #lose(): void {
    this.#lost = true;
    this.#subscribed.clear();
    for (const id of this.unanswered) this.#unanswered.set(id, { id, line: '' });
    this.#bytes = 0;
  }
}

const INTERNAL = -32_603;

/** A change of one address; in the newer revision with the id of the request that asked for it. */
interface Notice {
  readonly uri: string;
  readonly subscription?: unknown;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

function updated({ uri, subscription }: Notice): string {
  const meta = subscription === undefined ? {} : { _meta: { [SUBSCRIPTION]: subscription } };
  const params = { uri, ...meta };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params });
}

function subscriptionOf(params: unknown): string | undefined {
  const meta = isFields(params) ? params._meta : undefined;
  return isFields(meta) ? idOf(meta[SUBSCRIPTION]) : undefined;
}

function listenedTo(line: string): readonly Notice[] {
  if (!line.includes('"subscriptions/listen"')) return [];
  const message = parsed(line);
  if (!isFields(message) || message.method !== 'subscriptions/listen') return [];
  const asked = isFields(message.params) ? message.params.notifications : undefined;
  const uris = isFields(asked) ? asked.resourceSubscriptions : undefined;
  if (!Array.isArray(uris)) return [];
  return uris.filter((uri) => typeof uri === 'string').map((uri) => ({ uri, subscription: message.id }));
}

const sizeOf = ({ line }: Said): number => Buffer.byteLength(line);

const idOf = (id: unknown): string | undefined =>
  typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : undefined;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
