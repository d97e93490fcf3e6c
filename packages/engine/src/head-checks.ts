/**
 * Asks how far streams have come, for many readers at once. While a question is on its way, those who come later wait for
 * the next one: an answer to a question from before they asked might not know what they have to see.
 */
import { type StreamRef, streamKey } from '@handover/core';
import type { SharedStore } from './shared-store.js';

/** So many refs one question has at most; the rest goes with the next one. */
const MOST = 256;

interface Asked {
  readonly ref: StreamRef;
  readonly resolve: (seq: number) => void;
  readonly reject: (thrown: unknown) => void;
  readonly answer: Promise<number>;
}

export class HeadChecks {
  readonly #store: Pick<SharedStore, 'heads'>;
  readonly #waiting = new Map<string, Asked>();
  #asking = false;

  constructor(store: Pick<SharedStore, 'heads'>) {
    this.#store = store;
  }

  /** The last sequence of a stream, asked after this call; 0: no such stream. */
  seqOf(ref: StreamRef): Promise<number> {
    const key = streamKey(ref);
    let asked = this.#waiting.get(key);
    if (!asked) {
      let resolve = (_: number): void => {};
      let reject = (_: unknown): void => {};
      const answer = new Promise<number>((yes, no) => {
        resolve = yes;
        reject = no;
      });
      asked = { ref, resolve, reject, answer };
      this.#waiting.set(key, asked);
      if (!this.#asking) void this.#ask();
    }
    return asked.answer;
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    // Those who ask in this turn go together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const now = [...this.#waiting].slice(0, MOST);
      for (const [key] of now) this.#waiting.delete(key);
      try {
        const { seqs } = await this.#store.heads(now.map(([, { ref }]) => ref));
        for (const [i, [, { resolve }]] of now.entries()) resolve(seqs[i] ?? 0);
      } catch (thrown) {
        for (const [, { reject }] of now) reject(thrown);
      }
    }
    this.#asking = false;
  }
}
