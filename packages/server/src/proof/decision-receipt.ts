/** The receipt of a session in the protocol's own format: its history is checked, signed for, and the text is kept. */
import {
  type Codec,
  type Entry,
  type Flaw,
  MACP_RECEIPT_FORMAT,
  MacpReceiptFold,
  type MacpReceiptResult,
  type StreamRef,
  type StreamVerdict,
  signMacpReceipt,
} from '@handover/core';
import type { Store } from '@handover/engine';
import type { ReceiptKeys } from '../keys/receipt-keys.js';
import { entryPages } from './entry-pages.js';
import { verifyPages } from './verify-pages.js';

export interface DecisionReceiptParts {
  readonly store: Pick<Store, 'read' | 'receipts'>;
  readonly codec: Codec;
  readonly keys: Pick<ReceiptKeys, 'issuer' | 'kid' | 'signer'>;
  readonly now: () => number;
  /** What may ask for a pause after each entry. */
  readonly rest?: () => Promise<void> | undefined;
}

export type MadeReceipt =
  /** `text` is the one that counts: another may have been kept meanwhile. */
  { readonly text: string; readonly isNew: boolean } | { readonly none: string } | { readonly flaw: Flaw };

export async function makeDecisionReceipt(
  { store, codec, keys, now, rest }: DecisionReceiptParts,
  ref: StreamRef<'session'>,
): Promise<MadeReceipt> {
  const issue = { issuer: keys.issuer, issuedAt: now() };
  const made = await macpReceiptOf(ref, entryPages(store, ref), { codec, issue, ...(rest && { rest }) });
  if (!('body' in made)) return made;
  const signer = { kid: keys.kid, sign: (bytes: Uint8Array) => keys.signer.sign(bytes) };
  const signed = signMacpReceipt(made.body, signer, codec);
  const text = await store.receipts.put(ref, MACP_RECEIPT_FORMAT, signed);
  return { text, isNew: text === signed };
}

/** What the log says of a session, for such a receipt. A log with a flaw says nothing. */
export async function macpReceiptOf(
  ref: StreamRef,
  pages: AsyncIterable<readonly Entry[]>,
  how: Pick<DecisionReceiptParts, 'codec' | 'rest'> & {
    readonly issue: { readonly issuer: string; readonly issuedAt: number };
  },
): Promise<MacpReceiptResult | { readonly flaw: Flaw }> {
  const fold = new MacpReceiptFold(how.codec);
  const verdict: StreamVerdict = await verifyPages(
    ref,
    pages,
    how.codec,
    (entry) => fold.add(entry),
    how.rest,
  );
  if (!verdict.ok) return { flaw: verdict.flaw };
  if (!verdict.session) return { none: 'it is no session' };
  return fold.result(verdict.session, verdict.head, how.issue);
}
