import { text } from './utf8.js';
import { WireType } from './wire-type.js';

const EMPTY = new Uint8Array(0);
const MAX_GROUP_DEPTH = 100;
/** Up to this length a loop beats the call into the platform's decoder (measured on Node 20). */
const SHORT_TEXT = 16;

/**
 * Reads protobuf from bytes that nobody has checked. It never throws: the first fault sets `failed` and moves to the
 * end, so that every loop over fields ends by itself and its owner looks once. It is stricter than protobuf-es: a
 * sub-message may not run over its end, and a length or tag takes at most five bytes.
 */
export class Reader {
  pos = 0;
  end: number;
  failed = false;
  private readonly source: Uint8Array;
  // The last varint, in 28 + 28 + 8 bits: bit operations stop at 32.
  private low = 0;
  private middle = 0;
  private high = 0;

  constructor(source: Uint8Array) {
    this.source = source;
    this.end = source.length;
  }

  /** What was read, unless something was wrong with it. */
  result<T>(value: T): T | undefined {
    return this.failed ? undefined : value;
  }

  fail(): 0 {
    this.failed = true;
    this.pos = this.end;
    return 0;
  }

  /** Field number and wire type in one number; 0 after a fault. */
  tag(): number {
    const tag = this.uint32();
    return tag < 8 ? this.fail() : tag;
  }

  bool(): boolean {
    this.varint();
    return (this.low | this.middle | this.high) !== 0;
  }

  /** Truncated to 32 bits, as protobuf does for enums. */
  int32(): number {
    this.varint();
    return this.low | (this.middle << 28);
  }

  /** Fails where a number cannot hold the value exactly. */
  int64(): number {
    this.varint();
    const flip = this.high > 0x7f ? -1 : 0;
    const size = ((this.low ^ flip) & 0xfffffff) + ((this.middle ^ flip) & 0xfffffff) * 0x10000000;
    const value = flip === 0 ? size : -size - 1;
    return ((this.high ^ flip) & 0xff) === 0 && Number.isSafeInteger(value) ? value : this.fail();
  }

  /** Everything above the safe integers reads as the largest of them. */
  uint64(): number {
    this.varint();
    const value = this.low + this.middle * 0x10000000;
    return this.high === 0 && Number.isSafeInteger(value) ? value : Number.MAX_SAFE_INTEGER;
  }

  double(): number {
    const start = this.pos;
    if (!this.advance(8)) return 0;
    return new DataView(this.source.buffer, this.source.byteOffset + start, 8).getFloat64(0, true);
  }

  /** A view on the input, not a copy. */
  bytes(): Uint8Array {
    const length = this.uint32();
    const start = this.pos;
    return this.advance(length) ? this.source.subarray(start, this.pos) : EMPTY;
  }

  string(): string {
    const length = this.uint32();
    const start = this.pos;
    if (!this.advance(length)) return '';
    const value =
      (length <= SHORT_TEXT ? this.ascii(start, length) : undefined) ??
      text(this.source.subarray(start, this.pos));
    if (value === undefined) this.fail();
    return value ?? '';
  }

  /** Narrows the reader to a sub-message; returns what `leave` needs to widen it again. */
  enter(): number {
    const outer = this.end;
    const length = this.uint32();
    if (length > outer - this.pos) this.fail();
    else this.end = this.pos + length;
    return outer;
  }

  leave(outer: number): void {
    this.end = outer;
    if (this.failed) this.pos = outer;
  }

  /** Passes over the value of a field that is not known here. */
  skip(tag: number, depth = 0): void {
    const wireType = tag & 7;
    if (wireType === WireType.Varint) this.varint();
    else if (wireType === WireType.Fixed64) this.advance(8);
    else if (wireType === WireType.Bytes) this.advance(this.uint32());
    else if (wireType === WireType.Fixed32) this.advance(4);
    else if (wireType === WireType.StartGroup && depth < MAX_GROUP_DEPTH) this.skipGroup(tag, depth);
    else this.fail();
  }

  private skipGroup(start: number, depth: number): void {
    // A group that is cut off ends the loop too: reading a tag at the end of the input fails.
    while (!this.failed) {
      const tag = this.tag();
      if ((tag & 7) !== WireType.EndGroup) this.skip(tag, depth + 1);
      else if (tag >>> 3 !== start >>> 3) this.fail();
      else return;
    }
  }

  private ascii(start: number, length: number): string | undefined {
    const codes = new Array<number>(length);
    for (let index = 0; index < length; index++) {
      const code = this.source[start + index] ?? 0;
      if (code > 0x7f) return undefined;
      codes[index] = code;
    }
    return String.fromCharCode.apply(String, codes);
  }

  private advance(length: number): boolean {
    if (length > this.end - this.pos) this.fail();
    else this.pos += length;
    return !this.failed;
  }

  private uint32(): number {
    const start = this.pos;
    const first = start < this.end ? (this.source[start] ?? 0) : 0x80;
    if (first < 0x80) {
      this.pos++;
      return first;
    }
    this.varint();
    return this.pos - start > 5 || this.middle > 0xf ? this.fail() : this.low + this.middle * 0x10000000;
  }

  private varint(): void {
    this.low = this.middle = this.high = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.pos < this.end ? (this.source[this.pos++] ?? 0) : 0x80;
      if (index < 4) this.low |= (byte & 0x7f) << (7 * index);
      else if (index < 8) this.middle |= (byte & 0x7f) << (7 * index - 28);
      else this.high = (this.high | ((byte & 0x7f) << (7 * index - 56))) & 0xff;
      if (byte < 0x80) return;
    }
    this.fail();
  }
}
