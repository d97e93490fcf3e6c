/** Several receipts of one operation: each by itself, then whether each names the one before it. */
import {
  type Flaw,
  OPERATION_RECEIPT_FORMAT,
  type OperationReceipt,
  readCanonical,
  supersedingFlaw,
  verifyOperationReceipt,
} from '@handover/core';
import { verifySignature } from '../keys/ed25519.js';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { ExitCode } from './conventions/exit-code.js';
import { wrongUsage } from './conventions/failure.js';
import type { Output } from './conventions/output.js';
import { line } from './print-lines.js';
import { printReceiptChain } from './print-operation-receipt.js';
import type { VerifyOptions } from './verify.js';
import { verifyDocument } from './verify-document.js';
import { printDocumentFlaw } from './verify-print.js';
import { readSubject } from './verify-subject.js';

export async function verifyReceipts(
  paths: readonly string[],
  options: VerifyOptions,
  output: Output,
): Promise<ExitCode> {
  const json = options.json === true;
  const receipts: OperationReceipt[] = [];
  let unsure = false;
  // With --json there is one document, and it is about all of them; of a flaw it is the flawed one's.
  const each: object[] = [];
  const apart = json ? { ...output, out: (text: string) => void each.push(JSON.parse(text)) } : output;
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: await textOf(path) })));
  const newestGiven = Math.max(0, ...texts.map(({ text }) => numberIn(text)));
  for (const { path, text } of texts) {
    const code = await verifyDocument(path, text, { ...options, newestGiven }, apart);
    if (code === ExitCode.Failed) {
      for (const flawed of each.slice(-1)) line(output.out, flawed);
      return code;
    }
    unsure ||= code === ExitCode.Unsure;
    const receipt = newerReceipt(text);
    if ('flaw' in receipt) {
      printDocumentFlaw(path, 'receipt', receipt.flaw, json, output);
      return ExitCode.Failed;
    }
    receipts.push(receipt);
  }
  const flaw = supersedingFlaw(receipts, codec);
  if (flaw) {
    printDocumentFlaw(paths.join(', '), 'receipts', flaw, json, output);
    return ExitCode.Failed;
  }
  printReceiptChain(receipts, json ? each : undefined, output);
  return unsure ? ExitCode.Unsure : ExitCode.Done;
}

async function textOf(path: string): Promise<string> {
  const subject = await readSubject(path);
  if (subject.kind === 'document') return subject.text;
  throw wrongUsage(`${path} is no receipt`, 'Several paths must all be receipts');
}

/** 0: it has none, or is no receipt that holds, which is told when its turn comes. */
function numberIn(text: string): number {
  const receipt = newerReceipt(text);
  return 'flaw' in receipt ? 0 : receipt.no;
}

/** Receipts of the first format name no other. */
function newerReceipt(text: string): OperationReceipt | { readonly flaw: Flaw } {
  const document = readCanonical(text);
  if ('flaw' in document) return document;
  const verdict = verifyOperationReceipt(document.value, codec, verifySignature);
  if ('flaw' in verdict) return verdict;
  const { receipt } = verdict;
  return receipt.format === OPERATION_RECEIPT_FORMAT
    ? (receipt as OperationReceipt)
    : { flaw: { path: 'format', what: `must be "${OPERATION_RECEIPT_FORMAT}": only those form a chain` } };
}
