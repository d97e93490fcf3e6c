/** Things that wait for their turn. Owners take turns: one with a thousand things delays another's one thing by one. */
export class Turns<T> {
  /** In the order in which owners are served next; within an owner in order of arrival. */
  readonly #lanes = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many of one owner wait. */
  of(owner: string): number {
    return this.#lanes.get(owner)?.size ?? 0;
  }

  add(owner: string, item: T): void {
    const lane = this.#lanes.get(owner) ?? new Set<T>();
    if (lane.has(item)) return;
    lane.add(item);
    this.#lanes.set(owner, lane);
    this.#size += 1;
  }

  /** The next one; its owner goes to the end. */
  take(): T | undefined {
    const [first] = this.#lanes;
    if (first === undefined) return undefined;
    const [owner, lane] = first;
    const [item] = lane;
    this.#lanes.delete(owner);
    lane.delete(item as T);
    if (lane.size > 0) this.#lanes.set(owner, lane);
    this.#size -= 1;
    return item;
  }

  /** Whether it was still waiting. */
  delete(owner: string, item: T): boolean {
    const lane = this.#lanes.get(owner);
    if (!lane?.delete(item)) return false;
    this.#size -= 1;
    if (lane.size === 0) this.#lanes.delete(owner);
    return true;
  }
}
