/** Counts the lines of a connection that hold no message: empty ones, and those that are refused. */
import { fixedLimits } from '../../../config/fixed-limits.js';

const MAX = fixedLimits.mcpRefusedLines.value;
const MINUTE = 60_000;

export const TOO_MANY_REFUSED = `Invalid Request: more than ${MAX} lines in a minute were empty or refused; the connection is closed`;

export class RefusedLines {
  readonly #now: () => number;
  #since: number;
  #count = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** False: that was one too many. */
  add(): boolean {
    if (this.#now() - this.#since >= MINUTE) {
      this.#since = this.#now();
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= MAX;
  }
}
