/**
 * How batches and answers cross between threads: one buffer, transferred, never cloned. Structured cloning of many small
 * arrays costs more than the inserts themselves, and cloning a pooled Buffer would copy its whole pool.
 *
 * Numbers are doubles (every value is a safe integer), bytes and UTF-8 texts carry a 32-bit length, hashes travel as
 * their 32 bytes. Both sides are this one process, so there is no version and no byte order to agree on.
 */
import { FaultCode, HandoverError } from '@handover/core';

const HASH_BYTES = 32;

export class Packer {
  #buffer: Buffer;
  #at = 0;

  constructor(expectedBytes = 4096) {
    // Not from the pool: the memory is going to be transferred.
    this.#buffer = Buffer.allocUnsafeSlow(expectedBytes);
  }

  number(value: number): this {
    this.#room(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
    return this;
  }

  /** Null travels as NaN, which no stored number is. */
  nullable(value: number | null): this {
    return this.number(value ?? Number.NaN);
  }

  text(value: string): this {
    this.#room(4 + value.length * 3);
    const written = this.#buffer.write(value, this.#at + 4, 'utf8');
    this.#buffer.writeUInt32LE(written, this.#at);
    this.#at += 4 + written;
    return this;
  }

  /** A SHA-256 in hex, as bytes. */
  hash(hex: string): this {
    this.#room(4 + HASH_BYTES);
    const written = hex.length === 2 * HASH_BYTES ? this.#buffer.write(hex, this.#at + 4, 'hex') : 0;
    if (written !== HASH_BYTES)
      throw new HandoverError(FaultCode.INTERNAL, 'an entry carries a malformed hash');
    this.#buffer.writeUInt32LE(HASH_BYTES, this.#at);
    this.#at += 4 + HASH_BYTES;
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#room(4 + value.length);
    this.#buffer.writeUInt32LE(value.length, this.#at);
    this.#buffer.set(value, this.#at + 4);
    this.#at += 4 + value.length;
    return this;
  }

  /** The packed bytes, alone in their memory, which may be transferred. */
  finish(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer.buffer as ArrayBuffer, 0, this.#at);
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#at + bytes));
    larger.set(this.#buffer.subarray(0, this.#at));
    this.#buffer = larger;
  }
}

/** Reads what a Packer wrote, in the same order. */
export class Unpacker {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(packed: Uint8Array) {
    this.#buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  }

  get done(): boolean {
    return this.#at >= this.#buffer.length;
  }

  get offset(): number {
    return this.#at;
  }

  number(): number {
    const value = this.#buffer.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  nullable(): number | null {
    const value = this.number();
    return Number.isNaN(value) ? null : value;
  }

  text(): string {
    const start = this.#skip();
    return this.#buffer.toString('utf8', start, this.#at);
  }

  hash(): string {
    const start = this.#skip();
    return this.#buffer.toString('hex', start, this.#at);
  }

  /** A view: valid as long as the packed buffer is. */
  view(): Uint8Array {
    const start = this.#skip();
    return this.#buffer.subarray(start, this.#at);
  }

  /** A copy, so that a kept payload does not keep the whole answer alive. */
  bytes(): Uint8Array {
    return new Uint8Array(this.view());
  }

  /** The raw bytes since an offset, as a map key. */
  keySince(offset: number): string {
    return this.#buffer.toString('latin1', offset, this.#at);
  }

  #skip(): number {
    const start = this.#at + 4;
    this.#at = start + this.#buffer.readUInt32LE(this.#at);
    return start;
  }
}
