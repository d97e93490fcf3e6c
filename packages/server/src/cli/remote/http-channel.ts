/**
 * A server elsewhere, through its HTTP door: every line of the client is one POST, and answers and events become lines.
 *
 * H1. Lines leave in their order. What others build on is answered before the next one leaves: the opening of a session,
 *     and what has no answer of its own.
 * H2. Older era: the session's id goes with every line, and one GET stream brings what nobody asked for.
 * H3. Newer era: a request stands alone, and is cancelled by closing its connection.
 * H4. One lost connection ends the channel. The pipe joins again and says again what has no answer; the server tells by
 *     the window and the id that it is the same request.
 */
import { isFields } from '@handover/core';
import type { Channel, ChannelListener } from '../pipe/channel.js';
import { messageHead, parsed } from './message-head.js';
import { followNotices } from './notice-stream.js';
import { PausedTogether } from './paused-together.js';
import { type Pause, Post } from './post.js';
import type { Headers, Requests } from './requests.js';

export interface HttpChannelOptions {
  readonly requests: Requests;
  /** The server, for people. */
  readonly shown: string;
  readonly pause: Pause;
  readonly now: () => number;
}

/** Assistants kill what has not ended two seconds after they left. */
const LEAVE_MS = 1_500;
const REVISION = /^[\x21-\x7e]{1,64}$/;

export class HttpChannel implements Channel {
  readonly ended: Promise<void>;
  readonly #options: HttpChannelOptions;
  readonly #gone = new AbortController();
  readonly #queue: string[] = [];
  /** Requests without an answer, by id. */
  readonly #open = new Map<string, Post>();
  readonly #answers = new PausedTogether();
  #listener: ChannelListener = { line: () => undefined, room: () => undefined };
  #session: Headers = {};
  #sending = false;
  #leaving: NodeJS.Timeout | undefined;
  #left = false;

  constructor(options: HttpChannelOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#gone.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  listen(listener: ChannelListener): void {
    this.#listener = listener;
  }

  send(line: string): void {
    this.#queue.push(line);
    if (!this.#sending) this.#sendAll().catch(() => this.close());
  }

  get full(): boolean {
    return this.#sending;
  }

  pause(): void {
    this.#answers.pause();
  }

  resume(): void {
    this.#answers.resume();
  }

  finish(): void {
    this.#leaving ??= setTimeout(() => this.close(), LEAVE_MS);
    this.#leaveIfDone();
  }

  close(): void {
    if (this.closed) return;
    clearTimeout(this.#leaving);
    this.#gone.abort();
    for (const post of this.#open.values()) post.cancel();
    this.#options.requests.close();
  }

  get closed(): boolean {
    return this.#gone.signal.aborted;
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    for (let line = this.#queue.shift(); line !== undefined; line = this.#queue.shift()) {
      if (this.closed) return;
      await this.#sendOne(line);
    }
    this.#sending = false;
    if (this.closed) return;
    this.#listener.room();
    this.#leaveIfDone();
  }

  /** Until the next line may leave. */
  async #sendOne(line: string): Promise<void> {
    const head = messageHead(line);
    const { id, method, cancels } = head;
    const cancelled = cancels === undefined ? undefined : this.#open.get(cancels);
    if (cancelled?.head.revision !== undefined) {
      cancelled.cancel();
      return;
    }
    cancelled?.forget();
    const post = new Post(line, head, {
      ...this.#options,
      sessionHeaders: method === 'initialize' ? {} : this.#session,
      answers: this.#answers,
      line: (one) => this.#pass(one, method === 'initialize'),
    });
    if (id !== undefined) this.#open.set(id, post);
    const done = this.#follow(post);
    await (id === undefined || method === 'initialize' ? done : post.sent);
    if (method === 'initialize') this.#enter(post);
    if (method === 'notifications/initialized') this.#followNotices();
  }

  async #follow(post: Post): Promise<void> {
    const { id } = post.head;
    try {
      await post.run();
    } catch {
      this.close();
    }
    if (id !== undefined && this.#open.get(id) === post) this.#open.delete(id);
    this.#leaveIfDone();
  }

  #pass(line: string, opens: boolean): void {
    if (this.closed) return;
    const message = opens ? parsed(line) : undefined;
    const result = isFields(message) && isFields(message.result) ? message.result : {};
    if (typeof result.protocolVersion === 'string' && REVISION.test(result.protocolVersion))
      this.#session = { ...this.#session, 'mcp-protocol-version': result.protocolVersion };
    this.#listener.line(line);
  }

  #enter({ answerHeaders }: Post): void {
    const id = answerHeaders['mcp-session-id'];
    if (typeof id === 'string') this.#session = { ...this.#session, 'mcp-session-id': id };
  }

  #followNotices(): void {
    if (this.closed || this.#session['mcp-session-id'] === undefined) return;
    const line = (one: string) => this.#pass(one, false);
    const { signal } = this.#gone;
    followNotices({ ...this.#options, signal, line }, this.#session, this.#answers).catch(() => this.close());
  }

  #leaveIfDone(): void {
    if (this.#leaving === undefined || this.#left || this.closed || this.#sending) return;
    const waits = [...this.#open.values()].some(
      ({ head, awaited }) => awaited && head.method !== 'subscriptions/listen',
    );
    if (waits) return;
    if (this.#session['mcp-session-id'] === undefined) {
      this.close();
      return;
    }
    this.#left = true;
    // The server need not keep the session until it has been idle for long.
    const end = () => this.close();
    this.#options.requests.ask('DELETE', this.#session).answer.then(end, end);
  }
}
