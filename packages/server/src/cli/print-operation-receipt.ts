/** What `handover verify` says of receipts of operations. */
import { type AnyOperationReceipt, Basis, type OperationReceipt } from '@handover/core';
import type { Output } from './conventions/output.js';
import { printable } from './conventions/printable.js';
import { line, table, time } from './print-lines.js';
import { stepLines } from './receipt-words.js';
import { SIGNER_KNOWN, SIGNER_UNKNOWN } from './signer-words.js';

/** What is known of it besides what it says itself. */
export interface Checked {
  readonly known: boolean;
  readonly compared: boolean;
  /** A later receipt, which counts in its place. */
  readonly superseded: OperationReceipt | undefined;
}

export function printOperationReceipt(
  path: string,
  receipt: AnyOperationReceipt,
  { known, compared, superseded }: Checked,
  json: boolean,
  { out }: Output,
): void {
  if (json) {
    line(out, {
      ok: known && !superseded,
      kind: 'receipt',
      path,
      signer: known ? 'known' : 'unknown',
      compared,
      ...(superseded && { superseded_by: supersederOf(superseded) }),
      receipt,
      flaws: [],
    });
    return;
  }
  printWords(path, receipt, compared, out);
  if (superseded) printSuperseded(superseded, known, out);
  else out(known ? SIGNER_KNOWN : SIGNER_UNKNOWN);
}

export const printMadeReceipt = (path: string, receipt: OperationReceipt, { out }: Output): void =>
  printWords(path, receipt, false, out);

function printWords(path: string, receipt: AnyOperationReceipt, compared: boolean, out: Output['out']): void {
  const { operation_id, family, tenant, outcome, digest, chain_id, chain } = receipt;
  table(out, `${path}: receipt of an operation`, {
    operation: `${operation_id} (tenant ${tenant}, ${family})`,
    ...effectRows(receipt),
    outcome,
    digest: `${digest} on chain ${chain_id}`,
    chain: `entry ${chain.seq}, ${chain.hash}`,
    ...(compared && { log: 'effect' in receipt ? 'the log gives the same receipt' : 'the log has its head' }),
  });
  for (const words of stepLines(receipt)) out(`  ${printable(words)}\n`);
}

/** What `handover receipt` gives in full, signed. */
const supersederOf = ({ no, effect, outcome }: OperationReceipt) => ({ no, effect, outcome });

function printSuperseded(
  { no, effect, outcome }: OperationReceipt,
  known: boolean,
  out: Output['out'],
): void {
  out(`signature valid, signer ${known ? 'known' : 'unknown'}\n`);
  const counts = `receipt ${no} of the log counts in its place: effect ${effect}, ${outcome}`;
  out(`SUPERSEDED: ${printable(counts)}\n`);
}

/** What the newest of them says is what counts. */
export function printReceiptChain(
  receipts: readonly OperationReceipt[],
  /** What was said of each, where the answer is JSON. */
  each: readonly object[] | undefined,
  { out }: Output,
): void {
  const sorted = [...receipts].sort((a, b) => a.no - b.no);
  const [first, newest] = [sorted[0], sorted.at(-1)];
  if (!first || !newest) return;
  const { operation_id: operation, no, effect, outcome } = newest;
  if (each) {
    const whole = { kind: 'receipts', operation, from: first.no, to: no, effect, outcome };
    line(out, { ok: each.every((one) => 'ok' in one && one.ok), ...whole, receipts: each, flaws: [] });
    return;
  }
  table(out, `receipts ${first.no} to ${no} of ${operation}`, {
    chain: 'each names the one before it',
    effect: `${effect}, as receipt ${no} says`,
    outcome,
    ...(first.no > 1 && { missing: `receipts before ${first.no} were not given` }),
  });
}

/** What moved comes before how it ended: it is what a reader decides by. */
function effectRows(receipt: AnyOperationReceipt): Readonly<Record<string, string>> {
  if (!('effect' in receipt))
    return {
      effect: 'format 1 does not say whether a wallet prompt was open',
      verified: receipt.verification,
    };
  const { effect, basis, no, report_until } = receipt;
  return {
    effect: `${effect}, ${basisWords(basis)}`,
    receipt: `this was receipt ${no}; the server may have issued a later one until ${time(report_until)}`,
  };
}

const basisWords = (basis: readonly string[]): string =>
  basis.includes(Basis.NotAsked) ? 'since no wallet was asked' : `on the word of ${basis.join(', ')}`;
