/** Lets one line through for each subject every ten seconds, so that a caller in a loop does not fill the log. */
const EVERY_MS = 10_000;
const MAX_SUBJECTS = 10_000;

interface Said {
  at: number;
  unsaid: number;
}

export class SparseLines {
  readonly #now: () => number;
  readonly #said = new Map<string, Said>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How many lines were left out before this one; undefined: this one is, too. */
  take(subject: string): number | undefined {
    const now = this.#now();
    const said = this.#said.get(subject);
    if (said && now - said.at < EVERY_MS) {
      said.unsaid += 1;
      return undefined;
    }
    this.#said.delete(subject);
    this.#said.set(subject, { at: now, unsaid: 0 });
    if (this.#said.size > MAX_SUBJECTS) this.#said.delete(this.#said.keys().next().value ?? '');
    return said?.unsaid ?? 0;
  }
}
