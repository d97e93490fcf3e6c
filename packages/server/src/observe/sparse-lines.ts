/**
 * Lets one line through for each subject in a while, so that what others can cause at will does not fill the log. Whoever
 * can choose the subject (with many addresses, for example) gets no more lines than there may be subjects at once.
 */
const MAX_SUBJECTS = 1_000;

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
    if (this.#said.size >= MAX_SUBJECTS && !this.#forgetOldest(now)) return undefined;
    this.#said.set(subject, { at: now, unsaid: 0 });
    return said?.unsaid ?? 0;
  }

  /** Only one whose while is over. */
  #forgetOldest(now: number): boolean {
    const [oldest] = this.#said;
    if (!oldest || now - oldest[1].at < this.#everyMs) return false;
    return this.#said.delete(oldest[0]);
  }
}
