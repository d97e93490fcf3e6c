/** Reads entries of records, and checks the payload of each against its hash. */
import {
  type Codec,
  type Entry,
  FaultCode,
  HandoverError,
  payloadFlaw,
  type StreamRef,
} from '@handover/core';
import type { ReadLimit, Store } from '@handover/engine';

export class EntryReader {
  readonly #store: Pick<Store, 'read'>;
  readonly #codec: Codec;

  constructor(store: Pick<Store, 'read'>, codec: Codec) {
    this.#store = store;
    this.#codec = codec;
  }

  async read(ref: StreamRef, after: number, limit: ReadLimit): Promise<readonly Entry[]> {
    const entries = await this.#store.read(ref, after, limit);
    const flaw =
      entries[0]?.seq !== after + 1
        ? `entry ${after + 1} is missing`
        : entries.map((entry) => payloadFlaw(this.#codec, entry)).find((found) => found !== undefined);
    if (flaw === undefined) return entries;
    throw new HandoverError(FaultCode.DATA_LOSS, `stored history is damaged: ${flaw}`);
  }
}
