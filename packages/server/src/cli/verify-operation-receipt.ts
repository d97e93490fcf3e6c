/**
 * One receipt of an operation: its signature, and with --against whether the log gives the same one, and whether it has
 * issued a later one since. One that is superseded is genuine, but what it says no longer counts.
 */
import {
  type AnyOperationReceipt,
  compareOperationReceipt,
  type Flaw,
  type Json,
  OPERATION_RECEIPT_FORMAT,
  type OperationReceipt,
  StreamKind,
  verifyOperationReceipt,
} from '@handover/core';
import { verifySignature } from '../keys/ed25519.js';
import { nodeCodec } from '../platform/node-codec.js';
import { ExitCode } from './conventions/exit-code.js';
import type { Output } from './conventions/output.js';
import { cannotCompare } from './exported-log.js';
import { operationAt } from './operation-in-log.js';
import { printOperationReceipt } from './print-operation-receipt.js';

export interface ReceiptCheck {
  readonly path: string;
  readonly trusted: readonly string[];
  readonly against?: string;
  /** The newest number that was given along with it. */
  readonly newestGiven?: number;
  readonly json: boolean;
}

export async function verifyOneReceipt(
  value: Json,
  { path, trusted, against, newestGiven = 0, json }: ReceiptCheck,
  output: Output,
): Promise<ExitCode | { readonly flaw: Flaw }> {
  const verdict = verifyOperationReceipt(value, nodeCodec, verifySignature);
  if ('flaw' in verdict) return verdict;
  const { receipt } = verdict;
  const compared = against === undefined ? undefined : await compare(receipt, against);
  if (compared && 'flaw' in compared) return compared;
  const known = trusted.includes(receipt.public_key);
  const later = compared?.later;
  const superseded = later && later.no > newestGiven ? later : undefined;
  printOperationReceipt(path, receipt, { known, compared: compared !== undefined, superseded }, json, output);
  return known && !superseded ? ExitCode.Done : ExitCode.Unsure;
}

async function compare(
  receipt: AnyOperationReceipt,
  against: string,
): Promise<{ readonly flaw: Flaw } | { readonly later?: OperationReceipt }> {
  const { tenant, operation_id: id, chain } = receipt;
  const log = await operationAt(against, { tenant, kind: StreamKind.Operation, id });
  if ('flaw' in log) return { flaw: cannotCompare(log.flaw) };
  const { receipts, hashes } = log;
  if (hashes[chain.seq - 1] !== chain.hash)
    return { flaw: { path: 'chain', what: `entry ${chain.seq} of the log is another one, or not there` } };
  const newest = receipts.at(-1);
  // Those of the first format have no number, and every one of today's came later.
  if (receipt.format !== OPERATION_RECEIPT_FORMAT) return newest ? { later: newest } : {};
  const own = receipt as OperationReceipt;
  const same = receipts[own.no - 1];
  const flaw = same
    ? compareOperationReceipt(own, same)
    : { path: 'no', what: `is ${own.no}; the log has given ${receipts.length}` };
  if (flaw) return { flaw };
  return newest && newest.no > own.no ? { later: newest } : {};
}
