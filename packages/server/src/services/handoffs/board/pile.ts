/** Open work of one kind, in the order of a time; those of one time in the order of their keys. */
import type { OpenWork } from './open-work.js';

export class Pile {
  /** The newest is the last. */
  readonly #works: OpenWork[] = [];
  readonly #timeOf: (work: OpenWork) => number;

  constructor(timeOf: (work: OpenWork) => number) {
    this.#timeOf = timeOf;
  }

  get size(): number {
    return this.#works.length;
  }

  add(work: OpenWork): void {
    this.#works.splice(this.#place(work), 0, work);
  }

  remove(work: OpenWork): void {
    const at = this.#place(work);
    if (this.#works[at] === work) this.#works.splice(at, 1);
  }

  /** At most so many of those that are wanted, among so many of the newest. */
  newest(most: number, isWanted: (work: OpenWork) => boolean, among = Number.POSITIVE_INFINITY): OpenWork[] {
    const found: OpenWork[] = [];
    const end = Math.max(0, this.#works.length - among);
    for (let i = this.#works.length - 1; i >= end && found.length < most; i--) {
      const work = this.#works[i];
      if (work && isWanted(work)) found.push(work);
    }
    return found;
  }

  count(isWanted: (work: OpenWork) => boolean): number {
    let count = 0;
    for (const work of this.#works) if (isWanted(work)) count += 1;
    return count;
  }

  oldest(most: number): OpenWork[] {
    return this.#works.slice(0, most);
  }

  compare(one: OpenWork, other: OpenWork): number {
    const times = this.#timeOf(one) - this.#timeOf(other);
    return times || (one.ref.id === other.ref.id ? 0 : one.ref.id < other.ref.id ? 1 : -1);
  }

  #place(work: OpenWork): number {
    let low = 0;
    let high = this.#works.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#works[middle];
      if (other && this.compare(other, work) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
