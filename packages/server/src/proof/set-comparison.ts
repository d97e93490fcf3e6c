/**
 * Compares two sets of rows that come in different orders and may not fit in memory.
 *
 * Rows fall into buckets by a hash under a key drawn anew each time, so that nobody can prepare rows that cancel out.
 * Equal buckets have equal sums. Only when one differs is a second look at the rows needed, and then only at rows of a
 * few such buckets. Within one set a row stands once.
 */
import { createHash, randomBytes } from 'node:crypto';

const BUCKETS = 4_096;
const HASH_BYTES = 32;
/** Enough to name what is wrong; more would only fill the memory when everything is. */
const NAMED_BUCKETS = 64;

export class SetComparison {
  readonly #key = randomBytes(HASH_BYTES);
  readonly #sums = new Uint8Array(BUCKETS * HASH_BYTES);
  readonly #counts = new Int32Array(BUCKETS);

  expected(row: string): void {
    this.#add(row, 1);
  }

  found(row: string): void {
    this.#add(row, -1);
  }

  /** The buckets to look at again; empty: the sets are equal. */
  differing(): ReadonlySet<number> {
    const buckets = new Set<number>();
    for (let i = 0; i < BUCKETS && buckets.size < NAMED_BUCKETS; i++) {
      const sum = this.#sums.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES);
      if (this.#counts[i] !== 0 || sum.some((byte) => byte !== 0)) buckets.add(i);
    }
    return buckets;
  }

  bucketOf(row: string): number {
    return bucket(this.#hash(row));
  }

  #add(row: string, count: 1 | -1): void {
    const hash = this.#hash(row);
    const at = bucket(hash);
    this.#counts[at] = (this.#counts[at] ?? 0) + count;
    const start = at * HASH_BYTES;
    for (let i = 0; i < HASH_BYTES; i++)
      this.#sums[start + i] = (this.#sums[start + i] ?? 0) ^ (hash[i] ?? 0);
  }

  #hash(row: string): Buffer {
    return createHash('sha256').update(this.#key).update(row).digest();
  }
}

const bucket = (hash: Buffer): number => hash.readUInt16LE(0) % BUCKETS;
