/** The open working sessions of one tenant, laid out by whom they may concern. */
import type { LeftNote, OpenWork } from './open-work.js';
import { Piles } from './piles.js';

const lastEntry = ({ at }: OpenWork): number => at;
const leftAt = ({ left }: OpenWork): number => left?.how?.at ?? 0;

const NONE = new Piles(lastEntry);

/** How work is left: with a word of its owner, or by the end of a conversation. Unread: nobody has read which. */
export type HowLeft = 'asked' | 'end' | 'unread';

export class Shelf {
  readonly #works = new Map<string, OpenWork>();
  readonly #all = new Piles(lastEntry);
  readonly #owned = new Map<string, Piles>();
  readonly #left = {
    ...{ asked: new Map<string, Piles>(), end: new Map<string, Piles>() },
    unread: new Map<string, Piles>(),
  };

  get size(): number {
    return this.#works.size;
  }

  get(key: string): OpenWork | undefined {
    return this.#works.get(key);
  }

  put(work: OpenWork): void {
    this.drop(work.ref.id);
    this.#works.set(work.ref.id, work);
    this.#all.add(work);
    if (!work.isNote) pilesOf(this.#owned, work.owner, lastEntry).add(work);
    const { left } = work;
    if (left) pilesOf(this.#left[howLeft(left)], left.taker, left.how ? leftAt : lastEntry).add(work);
  }

  drop(key: string): void {
    const work = this.#works.get(key);
    if (!work) return;
    this.#works.delete(key);
    this.#all.remove(work);
    removeFrom(this.#owned, work.owner, work);
    const { left } = work;
    if (left) removeFrom(this.#left[howLeft(left)], left.taker, work);
  }

  /** Those without an entry for the longest time go first. */
  trim(size: number): void {
    for (const { ref } of this.#all.oldest(this.size - size)) this.drop(ref.id);
  }

  /** By the time of the last entry. */
  get all(): Piles {
    return this.#all;
  }

  /** By the time of the last entry; without notes. */
  ownedBy(agent: string): Piles {
    return this.#owned.get(agent) ?? NONE;
  }

  /** Left for this agent by name, or for anyone, by the time when it was left; unread ones by that of the last entry. */
  leftFor(taker: string, how: HowLeft): Piles {
    return this.#left[how].get(taker) ?? NONE;
  }
}

const howLeft = ({ how }: LeftNote): HowLeft => (how ? (how.isEnd ? 'end' : 'asked') : 'unread');

function pilesOf(all: Map<string, Piles>, name: string, timeOf: (work: OpenWork) => number): Piles {
  const piles = all.get(name) ?? new Piles(timeOf);
  all.set(name, piles);
  return piles;
}

function removeFrom(all: Map<string, Piles>, name: string, work: OpenWork): void {
  const piles = all.get(name);
  piles?.remove(work);
  if (piles?.size === 0) all.delete(name);
}
