/** Lets one line through for each subject in a while, so that what others can cause at will does not fill the log. */
const MAX_SUBJECTS = 10_000;

interface Said {
  at: number;
  unsaid: number;
}

export class SparseLines {
  readonly #everyMs: number;
  readonly #now: () => number;
  readonly #said = new Map<string, Said>();

  constructor(everyMs: number, now: () => number = () => performance.now()) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /** How many lines were left out before this one; undefined: this one is, too. */
  take(subject = ''): number | undefined {
    const now = this.#now();
    const said = this.#said.get(subject);
    if (said && now - said.at < this.#everyMs) {
      said.unsaid += 1;
      return undefined;
    }
    this.#said.delete(subject);
    this.#said.set(subject, { at: now, unsaid: 0 });
    if (this.#said.size > MAX_SUBJECTS) this.#said.delete(this.#said.keys().next().value ?? '');
    return said?.unsaid ?? 0;
  }
}
