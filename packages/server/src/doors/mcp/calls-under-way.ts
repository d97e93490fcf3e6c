/** The tool calls that are being carried out, so that a door that closes can let them be answered. */
export class CallsUnderWay {
  readonly #calls = new Set<Promise<unknown>>();

  track<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    const done = () => this.#calls.delete(call);
    call.then(done, done);
    return call;
  }

  /** Resolves when all have ended and their answers are on their way, or when the time is over. */
  async settled(maxMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxMs);
    });
    await Promise.race([Promise.allSettled([...this.#calls]), late]);
    clearTimeout(timer);
    // The SDK writes an answer some microtasks after the call has ended.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
