/** Cuts a stream of bytes into lines. What has no end yet waits for it, and is never passed on by half. */
const NEWLINE = 0x0a;

export class LineSplitter {
  #held: Buffer[] = [];
  #heldBytes = 0;

  /** Of a line that has no end yet. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The lines that this piece ends, without their ends. */
  take(piece: Buffer): readonly string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      this.#held.push(piece.subarray(from, end));
      lines.push(Buffer.concat(this.#held).toString('utf8'));
      this.#forget();
      from = end + 1;
    }
    if (from < piece.length) this.#held.push(piece.subarray(from));
    this.#heldBytes += piece.length - from;
    return lines;
  }

  /** What came after the last end of a line. */
  rest(): string {
    const rest = Buffer.concat(this.#held).toString('utf8');
    this.#forget();
    return rest;
  }

  #forget(): void {
    this.#held = [];
    this.#heldBytes = 0;
  }
}
