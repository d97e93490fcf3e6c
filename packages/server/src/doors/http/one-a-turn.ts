/** Begins one thing in a turn of the event loop, so that many that come together do not hold it. */
export interface Begun {
  enter(begin: () => void): void;
}

export class OneATurn implements Begun {
  readonly #waiting: (() => void)[] = [];
  #entered = false;

  /** Begins at once if nothing else has begun in this turn. */
  enter(begin: () => void): void {
    if (this.#entered) this.#waiting.push(begin);
    else this.#begin(begin);
  }

  #begin(begin: () => void): void {
    this.#entered = true;
    setImmediate(() => {
      this.#entered = false;
      const next = this.#waiting.shift();
      if (next) this.#begin(next);
    });
    begin();
  }
}
