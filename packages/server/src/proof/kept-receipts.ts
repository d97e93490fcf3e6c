/** Receipts that are kept beside the log, compared with it. */
import {
  type Codec,
  canonicalJson,
  compareMacpReceipt,
  type Json,
  MACP_RECEIPT_FORMAT,
  type MacpReceiptResult,
  type StreamRef,
  type TrustedKey,
  verifyMacpReceipt,
} from '@handover/core';
import { verifySignature } from '../keys/ed25519.js';
import type { LocatedFlaw } from './located-flaw.js';

/** Of one that the store has for this session. Without the key that signed it, who issued it and when is not checked. */
export function keptReceiptFlaw(
  text: string,
  fromLog: MacpReceiptResult,
  codec: Codec,
  trusted: readonly TrustedKey[],
): string | undefined {
  const value = parsed(text);
  if (value === undefined || canonicalJson(value) !== text) return 'its kept receipt is not canonical JSON';
  const { flaw, receipt, attestations } = verifyMacpReceipt(value, {
    codec,
    verify: verifySignature,
    trusted,
  });
  const differs = flaw ?? (receipt && compareMacpReceipt(receipt, fromLog));
  if (differs) return `its kept receipt: ${differs.path ?? ''} ${differs.what}`;
  return attestations.some(({ status }) => status === 'invalid')
    ? 'its kept receipt: the signature does not fit'
    : undefined;
}

/** Of those that belong to nothing: `exists` says whether there is such a stream. */
export async function strayReceiptFlaws(
  kept: Iterable<{ readonly ref: StreamRef; readonly format: string }>,
  exists: (ref: StreamRef) => Promise<boolean>,
): Promise<readonly LocatedFlaw[]> {
  const flaws: LocatedFlaw[] = [];
  for (const { ref, format } of kept) {
    if (format !== MACP_RECEIPT_FORMAT)
      flaws.push({ ref, what: 'a kept receipt has a format that is unknown' });
    else if (!(await exists(ref))) flaws.push({ ref, what: 'there is a kept receipt and no such session' });
  }
  return flaws;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
