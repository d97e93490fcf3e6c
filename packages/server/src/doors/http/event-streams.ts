/**
 * All open event streams of the door. One timer beats for all of them, and they end together when the door closes.
 *
 * At each beat, every stream that has nothing else to send sends a comment. So proxies keep the connection, and the
 * server notices when a client is gone. A client that has taken nothing for several beats is disconnected. It can
 * reconnect and resume where it was.
 */
import { fixedLimits } from '../../config/fixed-limits.js';

export interface EventStream {
  /** True when the client has not taken what it was given. */
  readonly stalled: boolean;
  beat(): void;
  /** `abrupt`: cuts the connection, too. */
  end(abrupt: boolean): void;
}

export const HEARTBEAT_MS = 15_000;
const STALLED_BEATS = fixedLimits.stalledStreamMs.value / HEARTBEAT_MS;

export class EventStreams {
  readonly #ms: number;
  readonly #open = new Map<EventStream, number>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(ms: number = HEARTBEAT_MS) {
    this.#ms = ms;
  }

  get size(): number {
    return this.#open.size;
  }

  add(stream: EventStream): void {
    if (this.#closed) {
      stream.end(false);
      return;
    }
    this.#open.set(stream, 0);
    this.#timer ??= setInterval(() => this.#beat(), this.#ms).unref();
  }

  delete(stream: EventStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  endAll(): void {
    this.#closed = true;
    for (const stream of [...this.#open.keys()]) stream.end(false);
  }

  #beat(): void {
    for (const [stream, stalled] of this.#open) {
      if (stream.stalled && stalled + 1 >= STALLED_BEATS) stream.end(true);
      else this.#open.set(stream, stream.stalled ? stalled + 1 : 0);
      if (!stream.stalled) stream.beat();
    }
  }
}
