/** What an agent does after a time: one thing at a time with the messages that come, and nothing once it has ended. */
export class LaterTasks {
  readonly #failed: (error: unknown) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #busy: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /** Errors of tasks go to `failed`: nobody waits for them. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Returns what takes it back. */
  add(ms: number, task: () => Promise<void>): () => void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.between(async () => {
        if (!this.#isOver) await task();
      }).catch(this.#failed);
    }, ms);
    const cancel = () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
    if (this.#isOver) cancel();
    else this.#timers.add(timer);
    return cancel;
  }

  /** Runs what is given when everything before it has ended. */
  between<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#busy.then(act);
    this.#busy = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when nothing runs and nothing will. */
  async end(): Promise<void> {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await this.#busy;
  }
}
