/**
 * The longest time a unary call may take (MACP_REQUEST_TIMEOUT_SECS). One timer looks at all calls once a second,
 * oldest first, so a call costs an entry in a set and never reads a clock. A call may therefore take up to a second
 * longer.
 */
const TICK_MS = 1_000;

export interface PendingRequest {
  readonly tick: number;
  readonly expire: () => void;
}

export class RequestDeadlines {
  readonly #pending = new Set<PendingRequest>();
  readonly #ticksAllowed: number;
  readonly #timer: NodeJS.Timeout;
  #tick = 0;

  constructor(timeoutMs: number) {
    this.#ticksAllowed = Math.max(1, Math.ceil(timeoutMs / TICK_MS));
    this.#timer = setInterval(() => this.#advance(), TICK_MS);
    this.#timer.unref();
  }

  begin(expire: () => void): PendingRequest {
    const request = { tick: this.#tick, expire };
    this.#pending.add(request);
    return request;
  }

  /** False when the request has expired and its caller has been answered. */
  end(request: PendingRequest): boolean {
    return this.#pending.delete(request);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #advance(): void {
    this.#tick++;
    for (const request of this.#pending) {
      if (this.#tick - request.tick <= this.#ticksAllowed) return;
      this.#pending.delete(request);
      request.expire();
    }
  }
}
