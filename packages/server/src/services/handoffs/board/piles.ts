/** Piles by project: a look at one project touches that project's, and what belongs to none. */
import { ANY_PROJECT, type WantedProject } from '../../project.js';
import type { OpenWork } from './open-work.js';
import { Pile } from './pile.js';

/** A project has an id and a name, and is found by both. */
const NO_PROJECT = '';

export class Piles {
  readonly #all: Pile;
  readonly #piles = new Map<string, Pile>();
  readonly #timeOf: (work: OpenWork) => number;

  constructor(timeOf: (work: OpenWork) => number) {
    this.#timeOf = timeOf;
    this.#all = new Pile(timeOf);
  }

  get size(): number {
    return this.#all.size;
  }

  add(work: OpenWork): void {
    this.#all.add(work);
    for (const name of namesOf(work)) {
      const pile = this.#piles.get(name) ?? new Pile(this.#timeOf);
      this.#piles.set(name, pile);
      pile.add(work);
    }
  }

  remove(work: OpenWork): void {
    this.#all.remove(work);
    for (const name of namesOf(work)) {
      const pile = this.#piles.get(name);
      pile?.remove(work);
      if (pile?.size === 0) this.#piles.delete(name);
    }
  }

  /** At most so many of those in the project that are wanted, the newest first; among so many of the newest. */
  newest(
    project: WantedProject,
    most: number,
    isWanted: (work: OpenWork) => boolean,
    among?: number,
  ): OpenWork[] {
    const [first = [], second = []] = this.#in(project).map((pile) => pile.newest(most, isWanted, among));
    if (second.length === 0) return first;
    return [...first, ...second].sort((one, other) => this.#all.compare(other, one)).slice(0, most);
  }

  count(project: WantedProject, isWanted: (work: OpenWork) => boolean): number {
    return this.#in(project).reduce((sum, pile) => sum + pile.count(isWanted), 0);
  }

  oldest(most: number): OpenWork[] {
    return this.#all.oldest(most);
  }

  #in(project: WantedProject): readonly Pile[] {
    if (project === undefined || project === ANY_PROJECT) return [this.#all];
    return [project, NO_PROJECT].flatMap((name) => this.#piles.get(name) ?? []);
  }
}

const namesOf = ({ project }: OpenWork): ReadonlySet<string> =>
  project ? new Set([project.id, project.name]) : new Set([NO_PROJECT]);
