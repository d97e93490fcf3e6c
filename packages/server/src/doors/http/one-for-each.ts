/**
 * Large answers are made one after the other for each caller, with a turn of the event loop between two of them. Who asks
 * for many at once waits for himself, and others go on.
 */
export class OneForEach {
  readonly #last = new Map<string, Promise<void>>();

  async run<Made>(caller: string, make: () => Promise<Made>): Promise<Made> {
    const before = this.#last.get(caller);
    const made = before ? before.then(nextTurn).then(make) : make();
    const settled = made.then(
      () => {},
      () => {},
    );
    this.#last.set(caller, settled);
    try {
      return await made;
    } finally {
      if (this.#last.get(caller) === settled) this.#last.delete(caller);
    }
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
