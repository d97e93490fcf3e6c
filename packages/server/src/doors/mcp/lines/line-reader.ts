/** Cuts a stream into lines, one after the other. While one of them is waited for, nothing more is read. */
import type { Readable } from 'node:stream';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { Line, type LineShare } from './line.js';

export interface LineReaderOptions {
  /** Something to wait for before the next line is looked at. */
  pace(): Promise<void> | undefined;
  /** One line that is complete. */
  take(line: Line): Promise<void> | undefined;
  /** Where a line that is not whole counts. */
  readonly share?: LineShare;
}

const NEWLINE = 0x0a;
const UNFINISHED_MS = fixedLimits.mcpUnfinishedMs.value;
const TOO_SLOW = `took longer than ${UNFINISHED_MS / 1_000} seconds to arrive; send it again`;

export class LineReader {
  readonly #input: Readable;
  readonly #options: LineReaderOptions;
  readonly #chunks: Buffer[] = [];
  #line: Line;
  #late: NodeJS.Timeout | undefined;
  #busy = false;
  #stopped = false;

  constructor(input: Readable, options: LineReaderOptions) {
    this.#input = input;
    this.#options = options;
    this.#line = new Line(options.share);
  }

  start(): void {
    this.#input.on('data', this.#onData);
  }

  stop(): void {
    this.#stopped = true;
    this.#input.off('data', this.#onData).pause();
    this.#chunks.length = 0;
    this.#begin();
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
      this.#wait(chunk.subarray(from));
    }
    this.#busy = false;
    if (hasWaited) this.#input.resume();
  }

  #wait(piece: Buffer): void {
    if (piece.length === 0) return;
    const line = this.#line;
    line.add(piece);
    line.waits();
    this.#late ??= setTimeout(() => line.giveUp(TOO_SLOW), UNFINISHED_MS).unref();
  }

  /** A new line: the one before is whole, or nobody waits for it. */
  #begin(): void {
    clearTimeout(this.#late);
    this.#late = undefined;
    this.#line.release();
    this.#line = new Line(this.#options.share);
  }

  #completed(end: Buffer): Line {
    const line = this.#line;
    line.add(end);
    this.#begin();
    return line;
  }
}
