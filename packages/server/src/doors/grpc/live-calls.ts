/**
 * Calls that do not end by themselves (streams and watches), so that a closing door can end them. Each call hands in
 * the function that ends it.
 */
export class LiveCalls {
  readonly #endings = new Set<() => void>();

  get count(): number {
    return this.#endings.size;
  }

  /** Returns a function that removes the call again. */
  enter(end: () => void): () => void {
    this.#endings.add(end);
    return () => this.#endings.delete(end);
  }

  endAll(): void {
    for (const end of [...this.#endings]) end();
  }
}
