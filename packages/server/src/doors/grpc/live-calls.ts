/**
 * Calls that do not end by themselves (streams and watches), so that a closing door can end them. Each says how: it is
 * told once, ends its call with UNAVAILABLE and leaves.
 */
export class LiveCalls {
  readonly #endings = new Set<() => void>();

  get count(): number {
    return this.#endings.size;
  }

  /** Returns the function with which the call leaves. */
  enter(end: () => void): () => void {
    this.#endings.add(end);
    return () => this.#endings.delete(end);
  }

  endAll(): void {
    for (const end of [...this.#endings]) end();
  }
}
