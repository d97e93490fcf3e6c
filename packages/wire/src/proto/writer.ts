import { utf8Into } from './utf8.js';

const INITIAL_SIZE = 4096;
/** A buffer that one large message has grown is not kept for the next. */
const LARGEST_KEPT = 65_536;
/** Up to this length a loop beats the call into the platform's encoder (measured on Node 20). */
const SHORT_TEXT = 24;
const BLOCK_SIZE = 8192;
const LARGEST_CUT = 2048;

function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

/**
 * Writes protobuf into one growing buffer that is used again for every message; `finish` copies the result out.
 * Small results are cut from a common block, as Node does for its Buffers: to allocate each one took longer than to
 * encode it. The price is that a small result, while somebody keeps it, keeps a block of 8 KiB.
 */
export class Writer {
  private buffer = new Uint8Array(INITIAL_SIZE);
  private pos = 0;
  private block = new Uint8Array(BLOCK_SIZE);
  private used = 0;

  /** Forgets what was written; needed before a message in case the last one threw half-way. */
  start(): void {
    this.pos = 0;
  }

  /** A copy of what was written. Its ArrayBuffer may hold more than this: mind `byteOffset`. */
  finish(): Uint8Array {
    const result = this.pos > LARGEST_CUT ? this.buffer.slice(0, this.pos) : this.cut();
    if (this.buffer.length > LARGEST_KEPT) this.buffer = new Uint8Array(INITIAL_SIZE);
    return result;
  }

  /** Any integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.reserve(10);
    let rest = value;
    while (rest > 0x7fffffff) {
      this.buffer[this.pos++] = (rest & 0x7f) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      this.buffer[this.pos++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.buffer[this.pos++] = rest;
  }

  uint64(value: number): void {
    // Not only for exactness: with an infinite number the loop would never end.
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('not an integer from 0 to 2^53 - 1');
    this.varint(value);
  }

  int64(value: number): void {
    if (value >= 0) {
      this.uint64(value);
      return;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('not a safe integer');
    // Two's complement in 64 bits: ten bytes, of which the last holds the sign alone.
    this.reserve(10);
    let rest = -value - 1;
    for (let index = 0; index < 9; index++) {
      this.buffer[this.pos++] = (~(rest % 128) & 0x7f) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.pos++] = 1;
  }

  double(value: number): void {
    this.reserve(8);
    new DataView(this.buffer.buffer).setFloat64(this.pos, value, true);
    this.pos += 8;
  }

  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.reserve(value.length);
    this.buffer.set(value, this.pos);
    this.pos += value.length;
  }

  string(value: string): void {
    const start = this.open(value.length);
    this.reserve(value.length * 3);
    if (value.length > SHORT_TEXT || !this.ascii(value)) {
      this.pos = start + varintSize(value.length);
      this.pos += utf8Into(value, this.buffer.subarray(this.pos));
    }
    this.close(start, value.length);
  }

  /** Leaves room for the length prefix of what follows, wide enough for `expected` bytes. */
  open(expected: number): number {
    this.reserve(5);
    const start = this.pos;
    this.pos += varintSize(expected);
    return start;
  }

  /** Fills in the prefix that `open` left room for, and moves the content where the expectation was wrong. */
  close(start: number, expected: number): void {
    // Before the position goes back: growing keeps only what lies below it.
    this.reserve(10);
    const body = start + varintSize(expected);
    const length = this.pos - body;
    const shift = varintSize(length) - varintSize(expected);
    if (shift !== 0) this.buffer.copyWithin(body + shift, body, this.pos);
    this.pos = start;
    this.varint(length);
    this.pos += length;
  }

  private cut(): Uint8Array {
    if (this.used + this.pos > BLOCK_SIZE) {
      this.block = new Uint8Array(BLOCK_SIZE);
      this.used = 0;
    }
    const result = this.block.subarray(this.used, this.used + this.pos);
    result.set(this.buffer.subarray(0, this.pos));
    this.used += this.pos;
    return result;
  }

  private ascii(value: string): boolean {
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return false;
      this.buffer[this.pos++] = code;
    }
    return true;
  }

  private reserve(more: number): void {
    if (this.pos + more <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.pos + more));
    grown.set(this.buffer.subarray(0, this.pos));
    this.buffer = grown;
  }
}
