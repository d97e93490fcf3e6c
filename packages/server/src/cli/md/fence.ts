/** Code between fences, followed line by line. A fence may open in an item of a list. */
const FENCE = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:(`{3,})(?=[^`]*$)|(~{3,}))/;

export class Fence {
  #open: string | undefined;

  /** Whether the line is inside of code, or begins or ends it. */
  covers(line: string): boolean {
    const found = FENCE.exec(line);
    const marks = found?.[1] ?? found?.[2];
    if (this.#open === undefined) {
      this.#open = marks;
      return marks !== undefined;
    }
    if (marks?.startsWith(this.#open)) this.#open = undefined;
    return true;
  }
}
