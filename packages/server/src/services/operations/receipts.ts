/**
 * The receipts of records. None is stored: each follows from the log up to the entry after which it was issued, so asking
 * again gives the same bytes. Of most records there is one, and it follows from the present state.
 */
import {
  type ChainHead,
  type Codec,
  type OperationReceipt,
  operationDecider,
  operationReceiptDigest,
  presentOperation,
  type ReceiptSigner,
  type StoredOperation,
  signOperationReceipt,
  streamKey,
} from '@handover/core';
import type { Store } from '@handover/engine';
import { BoundedCache } from '../bounded-cache.js';
import type { OperationRecord } from './record.js';

const PAGE = 200;
const CACHE_LIMITS = { items: 500, weight: 4 * 1024 * 1024 };

export class RecordReceipts {
  readonly #store: Pick<Store, 'load'>;
  readonly #signer: ReceiptSigner;
  readonly #codec: Codec;
  readonly #kept = new BoundedCache<readonly OperationReceipt[]>(CACHE_LIMITS);

  constructor(store: Pick<Store, 'load'>, signer: ReceiptSigner, codec: Codec) {
    this.#store = store;
    this.#signer = signer;
    this.#codec = codec;
  }

  /** Oldest first. Empty: it was never over. */
  async all(record: OperationRecord): Promise<readonly OperationReceipt[]> {
    const { ref, state, head } = record;
    const { issued } = state;
    if (issued.length === 0) return [];
    const key = `${streamKey(ref)} ${issued.length}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const isPresent = issued.length === 1 && issued[0] === state.seq;
    const receipts = isPresent ? [this.#sign(record, state, head, [])] : await this.#folded(record);
    this.#kept.set(key, receipts, JSON.stringify(receipts).length);
    return receipts;
  }

  digestOf(receipt: OperationReceipt): string {
    return operationReceiptDigest(receipt, this.#codec);
  }

  async #folded(record: OperationRecord): Promise<readonly OperationReceipt[]> {
    const { ref } = record;
    const issued = new Set(record.state.issued);
    const last = Math.max(...issued);
    const receipts: OperationReceipt[] = [];
    let stored: StoredOperation | undefined;
    for (let seq = 0; seq < last; ) {
      const entries = await this.#store.load(ref, seq, Math.min(PAGE, last - seq));
      if (entries.length === 0) break;
      for (const entry of entries) {
        stored = operationDecider.evolve(stored, entry);
        seq = entry.seq;
        const head = { seq, hash: entry.hash, at: entry.at };
        if (issued.has(seq)) receipts.push(this.#sign(record, presentOperation(stored), head, receipts));
      }
    }
    return receipts;
  }

  #sign(
    { ref }: OperationRecord,
    state: OperationRecord['state'],
    head: ChainHead,
    before: readonly OperationReceipt[],
  ): OperationReceipt {
    const last = before.at(-1);
    const point = {
      tenant: ref.tenant,
      state,
      head,
      no: before.length + 1,
      ...(last && { supersedes: this.digestOf(last) }),
    };
    return signOperationReceipt(point, this.#signer, this.#codec);
  }
}
