/**
 * macp-receipt/1 (docs/spec/macp-2026.md 14): what a resolved session committed to, in the form that verifiers of other
 * vendors read. Ours (../receipt.ts) says more and covers every ending; both are signed with one key.
 *
 * N1. The served text is the RFC 8785 form of the document. Numbers are whole and within 2^53-1.
 * N2. An attestation signs the RFC 8785 form of the document without its attestations.
 * N3. The key is never in the document: trust comes from outside.
 * N4. `transcript` is the head of the session's hash chain, by which the receipt fits one log only.
 */
import { parseTimestamp } from '../../envelope/json/rfc3339.js';
import { isFields } from '../../fields.js';
import type { Json, JsonObject } from '../../log/json.js';
import { isWellFormed } from '../../text.js';
import { isList } from '../difference.js';
import {
  anyList,
  anyObject,
  matching,
  oneOf,
  type Reader,
  shape,
  text,
  unreadable,
  whole,
} from '../document.js';
import type { CommitmentProjection } from './commitment-projection.js';

export const MACP_RECEIPT_FORMAT = 'macp-receipt/1';
export const CHAIN_DIGEST = 'handover-chain/1';

const anything: Reader<Json> = (value) => value ?? null;

const wholeSeconds: Reader<string> = (value, path) => {
  const read = text(value, path);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(read) && parseTimestamp(read) !== undefined) return read;
  throw unreadable(path, 'must be a time in whole seconds, such as 2026-10-24T12:00:00Z');
};

const REQUIRED = {
  receipt_format: oneOf(MACP_RECEIPT_FORMAT),
  session_id: text,
  mode: text,
  /** Judged by itself: a commitment that cannot be read has a verdict of its own. */
  commitment: anything,
  commitment_hash: text,
  issuer: matching(/^runtime:./su, '"runtime:" and the id of the runtime'),
  issued_at: wholeSeconds,
  attestations: anyList,
};
const OPTIONAL = {
  commitment_wire_b64: text,
  semantics_rev: shape({ implementation: text, rev: whole }, {}),
  transcript: shape({ digest_alg: text, digest: text }, { message_count: whole }),
};
const readMembers = shape(REQUIRED, OPTIONAL);

/** As it came, with its members checked; what is in `commitment` and in the attestations is not. */
export type MacpReceipt = ReturnType<typeof readMembers>;

export const readMacpReceipt: Reader<MacpReceipt> = (value, path) => {
  canonicalValues(value, path);
  // Members that are not known here are signed like all others, and say nothing to us.
  const known = Object.entries(anyObject(value, path)).filter(
    ([name]) => Object.hasOwn(REQUIRED, name) || Object.hasOwn(OPTIONAL, name),
  );
  return readMembers(Object.fromEntries(known), path);
};

/** Everything but the attestations: what is signed. */
export interface MacpReceiptBody {
  readonly receipt_format: typeof MACP_RECEIPT_FORMAT;
  readonly session_id: string;
  readonly mode: string;
  readonly commitment: CommitmentProjection;
  readonly commitment_hash: string;
  readonly commitment_wire_b64: string;
  readonly semantics_rev: { readonly implementation: string; readonly rev: number };
  readonly transcript: {
    readonly digest_alg: string;
    readonly digest: string;
    readonly message_count: number;
  };
  readonly issuer: string;
  readonly issued_at: string;
}

/** RFC 8785 has a form for these values only. */
function canonicalValues(value: Json | undefined, path: string): void {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw unreadable(path, 'must be a whole number within 2^53-1');
  if (typeof value === 'string' && !isWellFormed(value))
    throw unreadable(path, 'has half of a surrogate pair');
  if (isList(value)) for (const [i, item] of value.entries()) canonicalValues(item, `${path}[${i}]`);
  else if (isFields(value))
    for (const [key, member] of Object.entries(value as JsonObject)) {
      canonicalValues(key, `${path === '' ? '' : `${path}.`}${key}`);
      canonicalValues(member, path === '' ? key : `${path}.${key}`);
    }
}
