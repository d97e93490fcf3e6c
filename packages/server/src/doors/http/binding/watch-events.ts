/**
 * A watch as a body of server-sent events.
 *
 * W1. The next thing is asked for when the client has taken the last one. What waits counts for the listener.
 * W2. A client that does not keep up gets an error as its last event; one that takes nothing at all is cut off.
 * W3. The body never fails: a fault becomes an event and an orderly end.
 */
import type { Listener } from '../../../services/listening/listener.js';
import type { EventStream, EventStreams } from '../event-streams.js';
import { faultError } from './errors.js';
import { errorEvent, KEEPALIVE, KEEPALIVE_BEATS } from './sse.js';

export interface WatchSource {
  readonly listener: Listener;
  readonly events: AsyncGenerator<Buffer>;
  onFault(thrown: unknown): void;
  /** Ends the watch and gives the listener's place back. */
  leave(): void;
  /** Cuts the connection of a client that does not read. */
  disconnect(): void;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

export class WatchEvents implements EventStream {
  readonly #source: WatchSource;
  readonly #streams: EventStreams;
  #controller: Controller | undefined;
  /** Bytes that the client has not taken. */
  #held = 0;
  /** Beats since something was sent. */
  #silent = 0;
  #ended = false;

  constructor(source: WatchSource, streams: EventStreams) {
    this.#source = source;
    this.#streams = streams;
  }

  start(controller: Controller): void {
    this.#controller = controller;
    this.#streams.add(this);
  }

  async pull(): Promise<void> {
    this.#holds(0);
    try {
      const { value, done } = await this.#source.events.next();
      // A watch never ends by itself: the server is closing.
      if (done === true) this.end(false);
      else this.#send(value);
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  cancel(): void {
    this.#leave();
  }

  get stalled(): boolean {
    return (this.#controller?.desiredSize ?? 0) <= 0;
  }

  beat(): void {
    this.#silent += 1;
    if (this.#ended || this.#silent < KEEPALIVE_BEATS) return;
    this.#silent = 0;
    this.#controller?.enqueue(KEEPALIVE);
  }

  /** The fault is the last event. */
  fail(thrown: unknown): void {
    if (this.#ended) return;
    this.#source.onFault(thrown);
    this.#controller?.enqueue(errorEvent(faultError(thrown)));
    this.end(false);
  }

  end(abrupt: boolean): void {
    if (this.#ended) return;
    if (abrupt) this.#source.listener.behind();
    this.#leave();
    this.#controller?.close();
    if (abrupt) this.#source.disconnect();
  }

  #send(event: Buffer): void {
    if (this.#ended) return;
    this.#silent = 0;
    this.#holds(event.length);
    this.#controller?.enqueue(event);
  }

  #holds(bytes: number): void {
    const { listener } = this.#source;
    listener.hold(bytes);
    listener.release(this.#held);
    this.#held = bytes;
  }

  #leave(): void {
    this.#ended = true;
    this.#source.leave();
    this.#streams.delete(this);
  }
}
