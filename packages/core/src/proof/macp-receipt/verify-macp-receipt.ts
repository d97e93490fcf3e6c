/**
 * Checking a macp-receipt/1 without a server (docs/spec/macp-2026.md 14.5).
 *
 * V1. A document of another format, or whose members are not what the format has, is refused as a whole.
 * V2. Integrity first: hash and wire bytes against the commitment as it stands there. If they do not match, nobody's word
 *     for the document counts, and attestations are not looked at.
 * V3. One valid attestation makes it attested. Without one it is whole, and says nothing of its origin.
 */
import type { Codec } from '../../envelope/codec.js';
import { isFields } from '../../fields.js';
import { canonicalJson, type Json, type JsonObject } from '../../log/json.js';
import { firstDifference } from '../difference.js';
import { reading } from '../document.js';
import type { Flaw } from '../flaw.js';
import type { VerifySignature } from '../verify-receipt.js';
import { projectionHash, projectionOf, readProjection } from './commitment-projection.js';
import { readJws, signingInput } from './jws.js';
import { type MacpReceipt, readMacpReceipt } from './receipt.js';

export type Integrity = 'match' | 'mismatch' | 'cannot_verify';
export type AttestationStatus = 'valid' | 'invalid' | 'unsupported' | 'unknown_key';
export type MacpReceiptVerdict = 'attested' | 'integrity_only' | 'unverified' | 'refused';

export interface CheckedAttestation {
  readonly type: string;
  readonly status: AttestationStatus;
  /** The name of the key, where one is given. */
  readonly kid?: string;
}

export interface MacpReceiptReport {
  /** What the receipt is worth. */
  readonly verdict: MacpReceiptVerdict;
  /** Null: refused before it was looked at. */
  readonly integrity: Integrity | null;
  /** What became of each signature. */
  readonly attestations: readonly CheckedAttestation[];
  /** Where it does not hold. */
  readonly flaw?: Flaw;
  /** Unless it was refused. */
  readonly receipt?: MacpReceipt;
}

/** A key that is trusted. Without a name it is trusted whatever the receipt calls it. */
export interface TrustedKey {
  /** The name by which receipts call it. */
  readonly kid?: string;
  /** The 32 raw bytes, base64. */
  readonly publicKey: string;
}

export interface MacpReceiptCheck {
  readonly codec: Codec;
  readonly verify: VerifySignature;
  readonly trusted: readonly TrustedKey[];
}

export function verifyMacpReceipt(value: Json, check: MacpReceiptCheck): MacpReceiptReport {
  const read = reading(() => readMacpReceipt(value, ''));
  if ('flaw' in read) return { verdict: 'refused', integrity: null, attestations: [], flaw: read.flaw };
  const receipt = read.value;
  const [integrity, path, what] = integrityOf(receipt, check.codec);
  if (integrity !== 'match')
    return { verdict: 'unverified', integrity, attestations: [], flaw: { path, what }, receipt };
  const { attestations: given, ...body } = value as JsonObject;
  const signed = canonicalJson(body);
  const attestations = receipt.attestations.map((one) => checked(one, signed, check));
  const attested = attestations.some(({ status }) => status === 'valid');
  return { verdict: attested ? 'attested' : 'integrity_only', integrity, attestations, receipt };
}

type Judged = readonly [integrity: Integrity, path: string, what: string];

function integrityOf(receipt: MacpReceipt, codec: Codec): Judged {
  const read = reading(() => readProjection(receipt.commitment, 'commitment'));
  if ('flaw' in read) return ['cannot_verify', read.flaw.path ?? '', read.flaw.what];
  const commitment = read.value;
  if (projectionHash(commitment, codec) !== receipt.commitment_hash)
    return ['mismatch', 'commitment_hash', 'is not the hash of the commitment'];
  const wire = receipt.commitment_wire_b64;
  return wire === undefined ? ['match', '', ''] : wireIntegrity(wire, commitment, codec);
}

function wireIntegrity(wire: string, commitment: ReturnType<typeof readProjection>, codec: Codec): Judged {
  const path = 'commitment_wire_b64';
  const bytes = codec.fromBase64(wire);
  if (!bytes || codec.toBase64(bytes) !== wire)
    return ['cannot_verify', path, 'is not padded standard base64'];
  const projected = projectionOf(bytes, codec);
  if (!projected) return ['cannot_verify', path, 'is not a Commitment of the nine fields alone'];
  const difference = firstDifference(projected as unknown as Json, commitment as unknown as Json);
  if (difference) return ['mismatch', path, `is another commitment: ${difference.path} differs`];
  return ['match', '', ''];
}

function checked(attestation: Json, signed: string, check: MacpReceiptCheck): CheckedAttestation {
  if (!isFields(attestation) || typeof attestation.type !== 'string') return { type: '', status: 'invalid' };
  const { type, jws } = attestation as JsonObject & { readonly type: string };
  if (type !== 'jws') return { type, status: 'unsupported' };
  const read = readJws(jws, check.codec);
  if (read.kind === 'malformed') return { type, status: 'invalid' };
  if (read.kind === 'other-algorithm') return { type, status: 'unsupported' };
  const { header, kid, signature } = read;
  const bytes = signingInput(header, signed, check.codec);
  const keys = check.trusted.filter((key) => key.kid === undefined || key.kid === kid);
  if (keys.some(({ publicKey }) => check.verify(publicKey, bytes, signature)))
    return { type, status: 'valid', kid };
  // A key without a name that does not fit may simply be another one.
  const named = keys.some((key) => key.kid === kid);
  return { type, status: named ? 'invalid' : 'unknown_key', kid };
}
