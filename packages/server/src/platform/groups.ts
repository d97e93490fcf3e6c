/** Values filed under keys. A key with no value left is forgotten, so that what has gone leaves nothing behind. */
export class Groups<V> {
  readonly #byKey = new Map<string, Set<V>>();

  get size(): number {
    return this.#byKey.size;
  }

  add(key: string, value: V): void {
    const group = this.#byKey.get(key);
    if (group) group.add(value);
    else this.#byKey.set(key, new Set([value]));
  }

  delete(key: string, value: V): void {
    const group = this.#byKey.get(key);
    if (group?.delete(value) && group.size === 0) this.#byKey.delete(key);
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  get(key: string): Iterable<V> {
    return this.#byKey.get(key) ?? [];
  }

  *values(): Generator<V> {
    for (const group of this.#byKey.values()) yield* group;
  }
}
