/** The open working sessions of one tenant, laid out by whom they may concern. */
import { ANYONE } from '@handover/core';
import type { OpenWork } from './open-work.js';
import { Piles } from './piles.js';

const lastEntry = ({ at }: OpenWork): number => at;
/** Of what nobody has read yet, the latest that it may be. */
const leftAt = ({ left, at }: OpenWork): number => left?.how?.at ?? at;

const NONE = new Piles(lastEntry);

export class Shelf {
  readonly #works = new Map<string, OpenWork>();
  readonly #all = new Piles(lastEntry);
  readonly #owned = new Map<string, Piles>();
  readonly #left = new Map<string, Piles>();

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
    pilesOf(this.#owned, work.owner, lastEntry).add(work);
    if (work.left) pilesOf(this.#left, work.left.taker, leftAt).add(work);
  }

  drop(key: string): void {
    const work = this.#works.get(key);
    if (!work) return;
    this.#works.delete(key);
    this.#all.remove(work);
    removeFrom(this.#owned, work.owner, work);
    if (work.left) removeFrom(this.#left, work.left.taker, work);
  }

  /** Those without an entry for the longest time go first. */
  trim(size: number): void {
    for (const { ref } of this.#all.oldest(this.size - size)) this.drop(ref.id);
  }

  /** By the time of the last entry. */
  get all(): Piles {
    return this.#all;
  }

  /** By the time of the last entry. */
  ownedBy(agent: string): Piles {
    return this.#owned.get(agent) ?? NONE;
  }

  /** Left for this agent by name, by the time when it was left. Nobody is called as whoever comes next. */
  leftFor(agent: string): Piles {
    return (agent === ANYONE ? undefined : this.#left.get(agent)) ?? NONE;
  }

  /** Left for whoever comes next. */
  get leftForAnyone(): Piles {
    return this.#left.get(ANYONE) ?? NONE;
  }
}

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
