/** A receipt of an operation, newest or by number, from the data folder. The server gives the same bytes. */
import {
  canonicalJson,
  type Json,
  operationDecider,
  presentOperation,
  type StoredOperation,
  StreamKind,
} from '@handover/core';
import { nodeCodec } from '../platform/node-codec.js';
import { entryPages } from '../proof/entry-pages.js';
import { folderSigner } from '../proof/receipt-keys.js';
import { verifyPages } from '../proof/verify-pages.js';
import { RecordReceipts } from '../services/operations/receipts.js';
import { ExitCode } from './conventions/exit-code.js';
import { notFound, wrongUsage } from './conventions/failure.js';
import type { OutFlags } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { writeOut } from './out-file.js';
import { type SourceFlags, unsound, withStream } from './stream-source.js';

export function receiptOfOperation(
  id: string,
  wanted: string | undefined,
  options: SourceFlags & OutFlags,
  output: Output,
): Promise<ExitCode> {
  const refOf = (tenant: string) => ({ tenant, kind: StreamKind.Operation, id });
  return withStream(refOf, options, async ({ folder, ref, view }) => {
    let stored: StoredOperation | undefined;
    const verdict = await verifyPages(ref, entryPages(view, ref), nodeCodec, (entry) => {
      stored = operationDecider.evolve(stored, entry);
    });
    if (!verdict.ok || !stored) throw unsound(ref, verdict.ok ? { what: 'it is empty' } : verdict.flaw);
    const record = { ref, state: presentOperation(stored), head: verdict.head };
    const receipts = await new RecordReceipts(view, folderSigner(folder), nodeCodec).all(record);
    const receipt = wanted === undefined ? receipts.at(-1) : receipts[numberOf(wanted) - 1];
    if (!receipt) throw notFound(none(id, receipts.length, wanted));
    await writeOut([`${canonicalJson(receipt as unknown as Json)}\n`], options, output);
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
