/**
 * A receipt: what a finished session came to, small enough to hand out, signed by the server.
 *
 * G1. Everything but issued_at, the key and the signature follows from the log, and can be computed from it again.
 * G2. The signature is Ed25519 over "handover-receipt/1:" and the JCS of the receipt without `signature`.
 * G3. The public key is part of what is signed, so that a changed receipt is found by itself. Whose key it is has to be
 *     known from elsewhere: anybody can sign with a key of their own.
 * G4. Times are the runtime's, in milliseconds. `frozen.digest` is "sha256:" and SHA-256 of the JCS of the list of payload
 *     hashes of SessionStart, the offer and the contexts that came before its answer, in order of the log.
 * G5. Format 2 says of a working session's handoff by which rule it was committed, and by whose authority. Format 1 is
 *     still read; a receipt of either is compared with the log in its own format.
 */
import type { Codec } from '../envelope/codec.js';
import { canonicalJson, type Json } from '../log/json.js';
import { OPERATOR } from '../log/runtime-draft.js';
import { flag, hexHash, matching, oneOf, shape, text, unreadable, whole } from './document.js';

export const RECEIPT_FORMAT_1 = 'handover-receipt@1';
export const RECEIPT_FORMAT = 'handover-receipt@2';

const digest = matching(/^sha256:[0-9a-f]{64}$/, '"sha256:" and 64 lowercase hex digits');

const offer = shape(
  { handoff_id: text, offered_by: text, target: text, offered_at: whole },
  /** Left out when the offer's is empty. */
  { scope: text },
);
const answer = shape(
  {
    by: text,
    disposition: oneOf('accepted', 'declined'),
    at: whole,
    /** By the policy's time-out, in the target's name. */
    implicit: flag,
  },
  {},
);
const commitment = shape(
  { commitment_id: text, action: text, by: text, at: whole },
  /** RFC-MACP-0013; left out when the payload holds fields beyond those it covers. */
  { hash: digest },
);

const FROM_LOG = {
  format: oneOf(RECEIPT_FORMAT, RECEIPT_FORMAT_1),
  tenant: text,
  session_id: text,
  mode: text,
  outcome: oneOf('RESOLVED', 'EXPIRED', 'CANCELLED'),
  frozen: shape({ digest, contexts: whole, late_contexts: whole }, {}),
  /** Who is responsible now: the target after a positive outcome, else (or when work was only shared) the owner as before. */
  holder: text,
  chain: shape({ seq: whole, hash: hexHash }, {}),
};
const BY_OUTCOME = { outcome_positive: flag, offer, answer, commitment };
/** Of handoffs of a working session, and never in format 1. */
const BY_BINDING = {
  /** With the acceptance, as the owner said in advance, or with the owner's own Commitment. */
  commit: oneOf('on-accept', 'by-owner'),
  /** Left out where it was not recorded. */
  chosen: oneOf('argument', 'default'),
  /** The operator let the work move; left out when the owner did. */
  authority: oneOf(OPERATOR),
  /** From whom it was taken then. */
  from: text,
};
const SIGNED = {
  issued_at: whole,
  key_id: matching(/^[0-9a-f]{16}$/, '16 lowercase hex digits'),
  /** 32 raw bytes, base64. */
  public_key: matching(/^[A-Za-z0-9+/]{43}=$/, 'base64 of 32 bytes'),
};
const SIGNATURE = { signature: matching(/^[A-Za-z0-9+/]{86}==$/, 'base64 of 64 bytes') };

const OPTIONAL = { ...BY_OUTCOME, ...BY_BINDING };
export const readReceiptBody = shape(FROM_LOG, OPTIONAL);
const readAnyReceipt = shape({ ...FROM_LOG, ...SIGNED, ...SIGNATURE }, OPTIONAL);

export const readReceipt: typeof readAnyReceipt = (value, path) => {
  const receipt = readAnyReceipt(value, path);
  const newer = Object.keys(BY_BINDING).find((key) => Object.hasOwn(receipt, key));
  if (receipt.format === RECEIPT_FORMAT_1 && newer !== undefined)
    throw unreadable(newer, `is unknown to ${RECEIPT_FORMAT_1}`);
  return receipt;
};

/** What follows from the log. */
export type ReceiptBody = ReturnType<typeof readReceiptBody>;
export type Receipt = ReturnType<typeof readReceipt>;

/** The same in the first format, which does not say by which rule and by whose authority. */
export function asFormat1(body: ReceiptBody): ReceiptBody {
  const { commit: _commit, chosen: _chosen, authority: _authority, from: _from, ...rest } = body;
  return { ...rest, format: RECEIPT_FORMAT_1 };
}

export interface ReceiptSigner {
  readonly keyId: string;
  readonly publicKey: string;
  sign(bytes: Uint8Array): Uint8Array;
}

const DOMAIN = 'handover-receipt/1:';

export function signReceipt(
  body: ReceiptBody,
  issuedAt: number,
  signer: ReceiptSigner,
  codec: Codec,
): Receipt {
  const signed = { ...body, issued_at: issuedAt, key_id: signer.keyId, public_key: signer.publicKey };
  const signature = codec.toBase64(signer.sign(signedBytes(signed, codec)));
  return { ...signed, signature };
}

export function signedBytes(receipt: Omit<Receipt, 'signature'>, codec: Codec): Uint8Array {
  const signed: Record<string, Json> = { ...receipt };
  delete signed.signature;
  return codec.utf8(DOMAIN + canonicalJson(signed));
}
