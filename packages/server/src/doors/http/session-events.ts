/**
 * A session as a stream of server-sent events.
 *
 * V1. `id` is the ordinal: after+1, after+2, ... without gap or repeat, each `envelope` as its JSON. Suspend, resume and
 *     cancel come to those who ask for them, without an id.
 * V2. The stream asks for the next entries when the client has taken the last. A client that is too slow for its
 *     session gets `error` and can resume after the last event that it has.
 * V3. When the session is over, `end` with its state is the last event. Cancelling and expiry have no ordinal: they show
 *     as `end`, with an id of its own, so that a client that missed it is told again.
 * V4. The body never fails: a fault becomes an `error` event and an orderly end. EventSource then reconnects.
 */
import {
  type Codec,
  type Entry,
  hasOrdinal,
  isTerminal,
  ordinalAt,
  type SessionState,
  SessionStatus,
} from '@handover/core';
import type { Subscription } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Listener } from '../../services/listening/listener.js';
import { encodedEntry } from './encoded-entry.js';
import { faultError } from './errors.js';
import type { EventStream, EventStreams } from './event-streams.js';
import { encodeEvent, HEARTBEAT } from './sse.js';
import { errorToJson, stateName } from './translate.js';

export interface SessionEventSource {
  readonly sessionId: string;
  readonly subscription: Subscription;
  /** Of the last envelope before the first one that the subscription brings. */
  readonly ordinal: number;
  readonly withControls: boolean;
  readonly listener: Listener;
  readonly codec: Codec;
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

/** The id of `end`: nothing comes after it. A Commitment has an ordinal and says the end itself. */
export function endId(session: SessionState): number {
  return ordinalAt(session, session.seq) + (session.status === SessionStatus.Resolved ? 0 : 1);
}

class SessionEvents implements EventStream {
  readonly #source: SessionEventSource;
  readonly #streams: EventStreams;
  #controller: Controller | undefined;
  /** Room for what is being read, or the bytes of the last chunk, which the client has not taken. */
  #held = 0;
  #ended = false;
  #ordinal: number;

  constructor(source: SessionEventSource, streams: EventStreams) {
    this.#source = source;
    this.#ordinal = source.ordinal;
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
    if (bytes.length > 0) controller.enqueue(bytes);
    if (last) this.end(false);
  }

  cancel(): void {
    this.#leave();
  }

  get stalled(): boolean {
    return (this.#controller?.desiredSize ?? 0) <= 0;
  }

  beat(): void {
    if (!this.#ended) this.#controller?.enqueue(HEARTBEAT);
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
    const { subscription, codec, sessionId, onFault } = this.#source;
    try {
      for (;;) {
        const entries = await this.#pull();
        if (!entries) return { bytes: Buffer.alloc(0), last: true };
        const events = entries.map((entry) => this.#event(entry));
        const end = await this.#endEvent(subscription.cursor);
        const bytes = Buffer.concat(end ? [...events, end] : events);
        if (bytes.length > 0) return { bytes, last: end !== undefined };
      }
    } catch (thrown) {
      onFault(thrown);
      const data = errorToJson(faultError(thrown, sessionId), codec);
      return { bytes: encodeEvent({ event: 'error', data }), last: true };
    }
  }

  #event(entry: Entry): Buffer {
    const { codec, withControls } = this.#source;
    const counts = hasOrdinal(entry.type);
    if (counts) this.#ordinal++;
    return counts || withControls ? encodedEntry(entry, this.#ordinal, codec) : Buffer.alloc(0);
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

  /** A session that is over takes no more entries, so `end` follows its last entry. */
  async #endEvent(cursor: number): Promise<Buffer | undefined> {
    const session = await this.#source.current();
    if (!session || !isTerminal(session.status) || cursor < session.seq) return undefined;
    const data = { session_id: session.id, state: stateName(session.status) };
    return encodeEvent({ event: 'end', id: endId(session), data });
  }
}
