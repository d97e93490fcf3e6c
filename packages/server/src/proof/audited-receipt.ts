import {
  type Codec,
  type Entry,
  ReceiptFold,
  type ReceiptResult,
  type StreamRef,
  type StreamVerdict,
} from '@handover/core';
import { verifyPages } from './verify-pages.js';

export interface AuditedReceipt {
  readonly verdict: StreamVerdict;
  /** Only for a sound stream. */
  readonly receipt: (handoffId?: string) => ReceiptResult;
}

/** Audits a session and folds its receipt in one pass, because a log with a flaw gets no receipt. */
export async function auditForReceipt(
  ref: StreamRef,
  pages: AsyncIterable<readonly Entry[]>,
  codec: Codec,
): Promise<AuditedReceipt> {
  const fold = new ReceiptFold(codec);
  const verdict = await verifyPages(ref, pages, codec, (entry) => fold.add(entry));
  return { verdict, receipt: (handoffId) => fold.result(handoffId) };
}
