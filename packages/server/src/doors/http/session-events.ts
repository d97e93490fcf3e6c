/**
 * A session as a stream of server-sent events. What an event looks like is said by the route (`SessionEventForm`).
 *
 * V1. Every entry comes once and in order, without gap or repeat.
 * V2. The stream asks for the next entries when the client has taken the last. A client that is too slow for its
 *     session gets an error and can resume after the last event that it has.
 * V3. When the session is over, the stream ends after its last entry, with what the form says of that.
 * V4. The body never fails: a fault becomes an event and an orderly end. EventSource then reconnects.
 */
import { type Entry, isTerminal, type SessionState } from '@handover/core';
import type { Subscription } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Listener } from '../../services/listening/listener.js';
import type { EventStream, EventStreams } from './event-streams.js';

/** How the route writes what happens. */
export interface SessionEventForm {
  /** Empty for an entry that is not shown. */
  entry(entry: Entry): Buffer;
  /** Of a session that is over. */
  end(session: SessionState): Buffer;
  fault(thrown: unknown): Buffer;
  /** Sent when nothing else was for a while. */
  readonly heartbeat: Buffer;
  /** How many beats must pass in silence before a heartbeat is sent. */
  readonly silentBeats: number;
}

export interface SessionEventSource {
  readonly form: SessionEventForm;
  readonly subscription: Subscription;
  readonly listener: Listener;
  /** The session as it is now. */
  current(): Promise<SessionState | undefined>;
  onFault(thrown: unknown): void;
  /** Ends the subscription and gives the listener's place back. */
  leave(): void;
  /** Cuts the connection of a client that does not read. */
  disconnect(): void;
}

const READ_BYTES = fixedLimits.listenerReadBytes.value;

interface Chunk {
  readonly bytes: Buffer;
  readonly last: boolean;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

export function sessionEvents(source: SessionEventSource, streams: EventStreams): ReadableStream<Uint8Array> {
  return new ReadableStream(new SessionEvents(source, streams));
}

class SessionEvents implements EventStream {
  readonly #source: SessionEventSource;
  readonly #streams: EventStreams;
  #controller: Controller | undefined;
  /** Room for what is being read, or the bytes of the last chunk, which the client has not taken. */
  #held = 0;
  #begun = false;
  #ended = false;
  /** Beats since something was sent. */
  #silent = 0;

  constructor(source: SessionEventSource, streams: EventStreams) {
    this.#source = source;
    this.#streams = streams;
  }

  start(controller: Controller): void {
    this.#controller = controller;
    this.#streams.add(this);
  }

  /** Called by the stream when its queue of one is empty, that is, when the client has taken the last chunk. */
  async pull(controller: Controller): Promise<void> {
    this.#holds(0);
    const { bytes, last } = await this.#next();
    if (this.#ended) return;
    this.#holds(bytes.length);
    if (bytes.length > 0) {
      this.#silent = 0;
      controller.enqueue(bytes);
    }
    if (last) this.end(false);
  }

  cancel(): void {
    this.#leave();
  }

  get stalled(): boolean {
    return (this.#controller?.desiredSize ?? 0) <= 0;
  }

  beat(): void {
    const { heartbeat, silentBeats } = this.#source.form;
    this.#silent += 1;
    if (this.#ended || this.#silent < silentBeats) return;
    this.#silent = 0;
    this.#controller?.enqueue(heartbeat);
  }

  end(abrupt: boolean): void {
    if (this.#ended) return;
    if (abrupt) this.#source.listener.behind();
    this.#leave();
    this.#controller?.close();
    if (abrupt) this.#source.disconnect();
  }

  #leave(): void {
    this.#ended = true;
    this.#source.leave();
    this.#streams.delete(this);
  }

  async #next(): Promise<Chunk> {
    const { subscription, form, onFault } = this.#source;
    try {
      // Of a session that is over and was seen to its end, nothing more comes.
      const over = this.#begun ? undefined : await this.#endEvent(subscription.cursor);
      this.#begun = true;
      if (over) return { bytes: over, last: true };
      for (;;) {
        const entries = await this.#pull();
        if (!entries) return { bytes: Buffer.alloc(0), last: true };
        const events = entries.map((entry) => form.entry(entry));
        const end = await this.#endEvent(subscription.cursor);
        const bytes = Buffer.concat(end ? [...events, end] : events);
        if (end || bytes.length > 0) return { bytes, last: end !== undefined };
      }
    } catch (thrown) {
      onFault(thrown);
      return { bytes: form.fault(thrown), last: true };
    }
  }

  /** A pull that has to read takes its room before. Others bring what is in memory already, and take it afterwards. */
  async #pull(): Promise<readonly Entry[] | undefined> {
    const { subscription } = this.#source;
    if (subscription.behind) await this.#takeRoom();
    else this.#holds(0);
    const entries = await subscription.next();
    await this.#takeRoom();
    return entries;
  }

  async #takeRoom(): Promise<void> {
    if (this.#held > 0) return;
    await this.#source.listener.acquire(READ_BYTES);
    this.#held = READ_BYTES;
  }

  #holds(bytes: number): void {
    const { listener } = this.#source;
    listener.hold(bytes);
    listener.release(this.#held);
    this.#held = bytes;
  }

  /** A session that is over takes no more entries, so its end follows the last one. */
  async #endEvent(cursor: number): Promise<Buffer | undefined> {
    const session = await this.#source.current();
    if (!session || !isTerminal(session.status) || cursor < session.seq) return undefined;
    return this.#source.form.end(session);
  }
}
