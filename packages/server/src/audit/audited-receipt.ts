import {
  type Codec,
  type Entry,
  ReceiptFold,
  type ReceiptResult,
  StreamAudit,
  type StreamRef,
  type StreamVerdict,
} from '@handover/core';

export interface AuditedReceipt {
  readonly verdict: StreamVerdict;
  /** Of a sound stream only. */
  readonly receipt: (handoffId?: string) => ReceiptResult;
}

/** Audits a session and folds its receipt in one pass: no receipt speaks for a log that does not hold. */
export async function auditForReceipt(
  ref: StreamRef,
  pages: Iterable<readonly Entry[]> | AsyncIterable<readonly Entry[]>,
  codec: Codec,
): Promise<AuditedReceipt> {
  const audit = new StreamAudit(ref, codec);
  const fold = new ReceiptFold(codec);
  for await (const page of pages) for (const entry of page) if (audit.add(entry)) fold.add(entry);
  return { verdict: audit.verdict(), receipt: (handoffId) => fold.result(handoffId) };
}
