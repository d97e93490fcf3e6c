/** A cache that is bounded by count and by weight. It drops the least recently used value first. */
export interface CacheLimits {
  readonly items: number;
  readonly weight: number;
}

interface Kept<Value> {
  readonly value: Value;
  readonly weight: number;
}

export class BoundedCache<Value> {
  readonly #kept = new Map<string, Kept<Value>>();
  readonly #limits: CacheLimits;
  #weight = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  get weight(): number {
    return this.#weight;
  }

  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Also for a value that has grown. A value that is heavier than the whole limit is not kept. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    if (weight > this.#limits.weight) return;
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#limits.items && this.#weight <= this.#limits.weight) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}
