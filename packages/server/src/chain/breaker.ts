/**
 * Whether an RPC is asked at all. After some failures in a row it is left alone for a pause; after the pause one question
 * is to be tried, and each further failure makes the next pause twice as long. An answer ends it.
 */
export interface BreakerLimits {
  readonly failuresInARow: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

export class Breaker {
  readonly #limits: BreakerLimits;
  #failures = 0;
  /** 0: the RPC answers. */
  #pauseMs = 0;
  #until = 0;

  constructor(limits: BreakerLimits) {
    this.#limits = limits;
  }

  /** From the failures that paused it until it has answered again. */
  get isPaused(): boolean {
    return this.#pauseMs > 0;
  }

  /** How long the pause still lasts; 0 when one question may be tried. */
  pausedFor(now: number): number {
    return Math.max(0, this.#until - now);
  }

  answered(): void {
    this.#failures = 0;
    this.#pauseMs = 0;
    this.#until = 0;
  }

  /** Returns true when it begins a pause. Questions that were under way when it began change nothing. */
  failed(now: number): boolean {
    this.#failures += 1;
    if (this.isPaused || this.#failures < this.#limits.failuresInARow) return false;
    this.#pause(this.#limits.firstPauseMs, now);
    return true;
  }

  /** The question after a pause failed, too. */
  triedInVain(now: number): void {
    this.#pause(Math.min(this.#limits.maxPauseMs, this.#pauseMs * 2), now);
  }

  #pause(ms: number, now: number): void {
    this.#pauseMs = ms;
    this.#until = now + ms;
  }
}
