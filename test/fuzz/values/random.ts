/**
 * Randomness that a case can be made from again: the same target, seed and index give the same numbers on every
 * machine. The generator is sfc32, seeded with SHA-256.
 */
import { createHash } from 'node:crypto';

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(target: string, seed: number, index: number) {
    const hash = createHash('sha256').update(`${target}\n${seed}\n${index}`).digest();
    this.#a = hash.readInt32LE(0);
    this.#b = hash.readInt32LE(4);
    this.#c = hash.readInt32LE(8);
  }

  /** 32 bits. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 up to, and without, `below`. */
  int(below: number): number {
    return Math.floor((this.word() / 0x1_0000_0000) * below);
  }

  between(least: number, most: number): number {
    return least + this.int(most - least + 1);
  }

  /** True in one of so many cases. */
  oneIn(cases: number): boolean {
    return this.int(cases) === 0;
  }

  pick<T>(items: readonly T[]): T {
    // Nobody calls it with an empty list.
    return items[this.int(items.length)] as T;
  }

  /** Small numbers often, large ones now and then. */
  size(most: number): number {
    return Math.floor(most ** (this.word() / 0x1_0000_0000)) - 1 + this.int(2);
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    // Small numbers look like field tags and lengths, and so reach deeper into a decoder than noise does.
    const small = this.oneIn(2);
    for (let at = 0; at < length; at++) bytes[at] = small && !this.oneIn(4) ? this.int(100) : this.int(256);
    return bytes;
  }
}
