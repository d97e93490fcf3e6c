/** How long each call took, by kind, and which failed. */
export interface Measured {
  readonly kind: string;
  readonly phase: string;
  readonly ms: number;
  /** Undefined when it succeeded. */
  readonly failure?: string;
}

export class CallClock {
  readonly calls: Measured[] = [];
  phase = 'warm-up';

  /** A call belongs to the phase in which it began. */
  async timed<T>(kind: string, call: () => Promise<T>): Promise<T> {
    const { phase } = this;
    const begun = performance.now();
    const done = (failure?: string) =>
      this.calls.push({
        kind,
        phase,
        ms: performance.now() - begun,
        ...(failure !== undefined && { failure }),
      });
    try {
      const value = await call();
      done();
      return value;
    } catch (thrown) {
      const { code, message = String(thrown) } = thrown as { code?: string | number; message?: string };
      done(`${kind}: ${code ?? message.slice(0, 100)}`);
      throw thrown;
    }
  }
}
