/** Cuts a stream into lines, one after the other. While one of them is waited for, nothing more is read. */
import type { Readable } from 'node:stream';
import { Line } from './line.js';

export interface LineReaderOptions {
  /** Something to wait for before the next line is looked at. */
  pace(): Promise<void> | undefined;
  /** One line that is complete. */
  take(line: Line): Promise<void> | undefined;
}

const NEWLINE = 0x0a;

export class LineReader {
  readonly #input: Readable;
  readonly #options: LineReaderOptions;
  readonly #chunks: Buffer[] = [];
  #line = new Line();
  #busy = false;
  #stopped = false;

  constructor(input: Readable, options: LineReaderOptions) {
    this.#input = input;
    this.#options = options;
  }

  start(): void {
    this.#input.on('data', this.#onData);
  }

  stop(): void {
    this.#stopped = true;
    this.#input.off('data', this.#onData).pause();
    this.#chunks.length = 0;
    this.#line = new Line();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#chunks.push(chunk);
    if (!this.#busy) void this.#drain();
  };

  async #drain(): Promise<void> {
    this.#busy = true;
    let hasWaited = false;
    const unread = async (work: Promise<void>): Promise<void> => {
      this.#input.pause();
      hasWaited = true;
      await work;
    };
    for (let chunk = this.#chunks.shift(); chunk; chunk = this.#chunks.shift()) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        const pace = this.#options.pace();
        if (pace) await unread(pace);
        if (this.#stopped) return;
        const taking = this.#options.take(this.#completed(chunk.subarray(from, at)));
        if (taking) await unread(taking);
        if (this.#stopped) return;
        from = at + 1;
      }
      this.#line.add(chunk.subarray(from));
    }
    this.#busy = false;
    if (hasWaited) this.#input.resume();
  }

  #completed(end: Buffer): Line {
    const line = this.#line;
    line.add(end);
    this.#line = new Line();
    return line;
  }
}
