/** A receipt of an operation, newest or by number, from the data folder. The server gives the same bytes. */
import { canonicalJson, type Json, StreamKind } from '@handover/core';
import { folderReceiptKeys } from '../proof/receipt-keys.js';
import { ExitCode } from './conventions/exit-code.js';
import { notFound, wrongUsage } from './conventions/failure.js';
import type { OutFlags } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { operationInLog } from './operation-in-log.js';
import { writeOut } from './out-file.js';
import { printMadeReceipt } from './print-operation-receipt.js';
import { receiptSettings } from './receipt-settings.js';
import { type SourceFlags, unsound, withStream } from './stream-source.js';

export function receiptOfOperation(
  id: string,
  wanted: string | undefined,
  options: SourceFlags & OutFlags,
  output: Output,
): Promise<ExitCode> {
  const refOf = (tenant: string) => ({ tenant, kind: StreamKind.Operation, id });
  return withStream(refOf, options, async ({ folder, ref, view }) => {
    const log = await operationInLog(ref, view, folderReceiptKeys(folder, receiptSettings()).signer);
    if ('flaw' in log) throw unsound(ref, log.flaw);
    const { receipts } = log;
    const receipt = wanted === undefined ? receipts.at(-1) : receipts[numberOf(wanted) - 1];
    if (!receipt) throw notFound(none(id, receipts.length, wanted));
    await writeOut([`${canonicalJson(receipt as unknown as Json)}\n`], options, output);
    // What went to a file is told in words; else the bytes alone, for whatever reads them.
    if (options.out !== undefined) printMadeReceipt(options.out, receipt, output);
    return ExitCode.Done;
  });
}

function numberOf(text: string): number {
  if (/^[1-9][0-9]{0,5}$/.test(text)) return Number(text);
  throw wrongUsage(
    'the receipts of an operation are numbered 1, 2, …',
    'Without a number you get the newest',
  );
}

function none(id: string, count: number, wanted: string | undefined): string {
  if (count === 0) return `no receipt for ${id}: it is not over`;
  return `${id} has no receipt ${wanted}: the newest is ${count}`;
}
