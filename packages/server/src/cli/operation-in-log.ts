/** An operation as a log has it: audited, and with every receipt that follows from it. */
import {
  type Entry,
  type OperationReceipt,
  operationDecider,
  presentOperation,
  type ReceiptSigner,
  type StoredOperation,
  type StreamRef,
  type StreamVerdict,
} from '@handover/core';
import type { Store } from '@handover/engine';
import { nodeCodec } from '../platform/node-codec.js';
import { entryPages } from '../proof/entry-pages.js';
import { verifyPages } from '../proof/verify-pages.js';
import { RecordReceipts } from '../services/operations/receipts.js';
import { openSqliteReadOnly } from '../store/sqlite/index.js';
import { exportedLog } from './exported-log.js';
import { readSubject } from './verify-subject.js';

export type OperationInLog =
  | { readonly flaw: Extract<StreamVerdict, { ok: false }>['flaw'] }
  | {
      /** Oldest first. */
      readonly receipts: readonly OperationReceipt[];
      /** By number, from 1. */
      readonly hashes: readonly string[];
    };

/** For comparing alone: what it signs is never given to anybody. */
const NOBODY: ReceiptSigner = { keyId: '', publicKey: '', sign: () => new Uint8Array() };

export async function operationInLog(
  ref: StreamRef<'operation'>,
  store: Pick<Store, 'load' | 'read'>,
  signer: ReceiptSigner,
): Promise<OperationInLog> {
  let stored: StoredOperation | undefined;
  const hashes: string[] = [];
  const verdict = await verifyPages(ref, entryPages(store, ref), nodeCodec, (entry) => {
    stored = operationDecider.evolve(stored, entry);
    hashes.push(entry.hash);
  });
  if (!verdict.ok) return { flaw: verdict.flaw };
  if (!stored) return { flaw: { what: 'it is empty' } };
  const record = { ref, state: presentOperation(stored), head: verdict.head };
  return { receipts: await new RecordReceipts(store, signer, nodeCodec).all(record), hashes };
}

/** In a data folder, a database file or an export. */
export async function operationAt(path: string, ref: StreamRef<'operation'>): Promise<OperationInLog> {
  const subject = await readSubject(path);
  if (subject.kind === 'document') return operationInLog(ref, exported(path, subject.text), NOBODY);
  const view = await openSqliteReadOnly(path);
  try {
    return await operationInLog(ref, view, NOBODY);
  } finally {
    await view.close();
  }
}

function exported(path: string, text: string): Pick<Store, 'load' | 'read'> {
  const log = exportedLog(path, text);
  const after = (seq: number): readonly Entry[] => log.filter((entry) => entry.seq > seq);
  return {
    load: async (_ref, seq, limit) => after(seq).slice(0, limit),
    read: async (_ref, seq, { entries }) => after(seq).slice(0, entries),
  };
}
