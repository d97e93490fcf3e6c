/** Checking receipts of operations without a server: one by itself, and several as a chain. */
import type { Codec } from '../envelope/codec.js';
import { isFields } from '../fields.js';
import { canonicalJson, type Json, type JsonObject } from '../log/json.js';
import { firstDifference, shown } from './difference.js';
import { reading } from './document.js';
import type { Flaw } from './flaw.js';
import {
  OPERATION_RECEIPT_FORMAT,
  type OperationReceipt,
  operationReceiptDigest,
  readOperationReceipt2,
  signedBytes2,
} from './operation-receipt.js';
import {
  DOMAIN_1,
  OPERATION_RECEIPT_FORMAT_1,
  type OperationReceipt1,
  readOperationReceipt1,
} from './operation-receipt-1.js';
import type { VerifySignature } from './verify-receipt.js';

export type AnyOperationReceipt = OperationReceipt | OperationReceipt1;

export type OperationReceiptVerdict = { readonly receipt: AnyOperationReceipt } | { readonly flaw: Flaw };

export const isOperationReceipt = (value: Json): boolean =>
  isFields(value) &&
  (value.format === OPERATION_RECEIPT_FORMAT || value.format === OPERATION_RECEIPT_FORMAT_1);

/** Whose key it is has to be known from elsewhere. */
export function verifyOperationReceipt(
  value: Json,
  codec: Codec,
  verify: VerifySignature,
): OperationReceiptVerdict {
  const isFirst = isFields(value) && value.format === OPERATION_RECEIPT_FORMAT_1;
  const read = reading<AnyOperationReceipt>(() =>
    isFirst ? readOperationReceipt1(value, '') : readOperationReceipt2(value, ''),
  );
  if ('flaw' in read) return read;
  const receipt = read.value;
  const bytes = codec.fromBase64(receipt.signature);
  if (bytes && verify(receipt.public_key, signedBytes(receipt, codec), bytes)) return { receipt };
  const what = 'does not fit: a value of the receipt, or the signature itself, was changed';
  return { flaw: { path: 'signature', what } };
}

function signedBytes({ signature: _signature, ...signed }: AnyOperationReceipt, codec: Codec): Uint8Array {
  if (signed.format === OPERATION_RECEIPT_FORMAT) return signedBytes2(signed as OperationReceipt, codec);
  return codec.utf8(DOMAIN_1 + canonicalJson(signed as unknown as Json));
}

/** What is signed anew each time that a receipt is made from the log: it may be another key. */
const OF_SIGNER = ['key_id', 'public_key', 'signature', 'supersedes'];

/** Whether the log gives the same receipt. */
export function compareOperationReceipt(
  receipt: OperationReceipt,
  fromLog: OperationReceipt,
): Flaw | undefined {
  const said = (one: OperationReceipt) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => !OF_SIGNER.includes(key))) as JsonObject;
  const difference = firstDifference(said(fromLog), said(receipt));
  if (!difference) return undefined;
  const { path, expected, found } = difference;
  return { path, what: `is ${shown(found)}; the log says ${shown(expected)}` };
}

/** Receipts of one record, in any order: each must name the one before it. */
export function supersedingFlaw(receipts: readonly OperationReceipt[], codec: Codec): Flaw | undefined {
  const sorted = [...receipts].sort((a, b) => a.no - b.no);
  for (const [i, receipt] of sorted.entries()) {
    const before = sorted[i - 1];
    if (!before) continue;
    const { operation_id: id, no, supersedes } = receipt;
    if (id !== before.operation_id)
      return { path: 'operation_id', what: `is ${id}; the others are of ${before.operation_id}` };
    if (no !== before.no + 1)
      return { path: 'no', what: `is ${no} after ${before.no}: one is missing or given twice` };
    if (supersedes !== operationReceiptDigest(before, codec))
      return { path: 'supersedes', what: `of receipt ${no} does not name receipt ${before.no}` };
  }
  return undefined;
}
