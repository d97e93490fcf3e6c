/**
 * The lines of an open transcript from an offset on, one at a time, so that a file of any size costs the same.
 *
 * R1. At most 32 MiB are read. If more is new, its first MiB and its end are read: what was asked first, and what came last.
 * R2. A line of more than 8 MiB is passed over and counted.
 * R3. A last line without its end is left for the next time.
 */
import { readSync } from 'node:fs';

const MAX_READ_BYTES = 32 * 1_048_576;
const BEGINNING_BYTES = 1_048_576;
const MAX_LINE_BYTES = 8 * 1_048_576;
const PIECE_BYTES = 262_144;
const NEWLINE = 0x0a;

export interface LinesRead {
  /** Where to go on next time. */
  readonly to: number;
  /** Lines that were too long. */
  readonly tooLong: number;
  /** Bytes that were not looked at (R1). */
  readonly leftOut: number;
  readonly bytesRead: number;
}

export function readLines(
  file: number,
  { from, bytes }: { readonly from: number; readonly bytes: number },
  onLine: (line: string) => void,
): LinesRead {
  const reader = new LineReader(file, onLine);
  if (bytes - from <= MAX_READ_BYTES) {
    reader.read(from, bytes);
    return { ...reader.done(from), leftOut: 0 };
  }
  reader.read(from, from + BEGINNING_BYTES);
  const end = bytes - (MAX_READ_BYTES - BEGINNING_BYTES);
  reader.loseLine();
  reader.read(end, bytes);
  return { ...reader.done(bytes), leftOut: end - (from + BEGINNING_BYTES) };
}

class LineReader {
  readonly #file: number;
  readonly #onLine: (line: string) => void;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Until the next line ends, nothing is kept. */
  #dropping = false;
  #lineEnd: number | undefined;
  #tooLong = 0;
  #bytesRead = 0;

  constructor(file: number, onLine: (line: string) => void) {
    this.#file = file;
    this.#onLine = onLine;
  }

  read(from: number, to: number): void {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let at = from; at < to; ) {
      const got = readSync(this.#file, piece, 0, Math.min(PIECE_BYTES, to - at), at);
      if (got === 0) return;
      this.#bytesRead += got;
      this.#take(piece.subarray(0, got), at);
      at += got;
    }
  }

  /** What is left of the line at the beginning goes, and so does the first at the end, which began before. */
  loseLine(): void {
    this.#forget();
    this.#dropping = true;
  }

  done(otherwise: number) {
    return { to: this.#lineEnd ?? otherwise, tooLong: this.#tooLong, bytesRead: this.#bytesRead };
  }

  #take(piece: Buffer, at: number): void {
    for (let start = 0; start < piece.length; ) {
      const newline = piece.indexOf(NEWLINE, start);
      const part = piece.subarray(start, newline < 0 ? piece.length : newline);
      this.#hold(part);
      if (newline < 0) return;
      this.#finish(at + newline + 1);
      start = newline + 1;
    }
  }

  #hold(part: Buffer): void {
    if (this.#dropping) return;
    if (this.#heldBytes + part.length > MAX_LINE_BYTES) {
      this.#tooLong += 1;
      this.#forget();
      this.#dropping = true;
      return;
    }
    // The piece is read into again.
    this.#held.push(Buffer.from(part));
    this.#heldBytes += part.length;
  }

  #finish(end: number): void {
    this.#lineEnd = end;
    const whole = this.#dropping ? undefined : Buffer.concat(this.#held, this.#heldBytes).toString('utf8');
    this.#forget();
    this.#dropping = false;
    if (whole !== undefined && whole.trim() !== '') this.#onLine(whole);
  }

  #forget(): void {
    this.#held = [];
    this.#heldBytes = 0;
  }
}
