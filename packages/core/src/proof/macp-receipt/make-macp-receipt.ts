/** The receipt of a resolved session, folded from its entries one by one; only the Commitment's payload is kept. */
import type { Codec } from '../../envelope/codec.js';
import { CoreMessageType, RUNTIME_MESSAGE_TYPES } from '../../envelope/envelope.js';
import { formatTimestamp } from '../../envelope/json/rfc3339.js';
import type { ChainHead, Entry } from '../../log/entry.js';
import { canonicalJson, type JsonObject } from '../../log/json.js';
import { BUILT_IN_MODES, STANDARD_PREFIX } from '../../modes/registry.js';
import { type SessionState, SessionStatus } from '../../session/state.js';
import { projectionHash, projectionOf } from './commitment-projection.js';
import { detachedJws, jwsHeader, signingInput } from './jws.js';
import { CHAIN_DIGEST, MACP_RECEIPT_FORMAT, type MacpReceiptBody } from './receipt.js';

/** The rules of a session are ours: `semantics_rev` counts them. */
const IMPLEMENTATION = 'handover';

export type MacpReceiptResult = { readonly body: MacpReceiptBody } | { readonly none: string };

export interface MacpReceiptIssue {
  readonly issuer: string;
  /** Milliseconds; the receipt says whole seconds. */
  readonly issuedAt: number;
}

/** Why a session in this state has no receipt; undefined: it has one, if its Commitment can be hashed. */
export function noMacpReceipt({ mode, status }: Pick<SessionState, 'mode' | 'status'>): string | undefined {
  const name = mode.descriptor.mode;
  if (!name.startsWith(STANDARD_PREFIX) || !BUILT_IN_MODES.has(name))
    return `sessions of mode ${name} have no receipt: only those of the five standard modes have`;
  if (status === SessionStatus.Resolved) return undefined;
  return `the session is ${status.toLowerCase()}: only a resolved one has a receipt`;
}

export class MacpReceiptFold {
  readonly #codec: Codec;
  #payload: Uint8Array | undefined;
  #messages = 0;
  #rev = 1;

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  /** Takes the entries of one sound stream, in order. */
  add({ type, seq, facts, payload }: Entry): void {
    const { rev } = facts;
    if (seq === 1 && typeof rev === 'number') this.#rev = rev;
    if (type === CoreMessageType.Commitment) this.#payload = payload;
    // What has an ordinal: neither controls nor the expiry have one.
    if (!RUNTIME_MESSAGE_TYPES.has(type)) this.#messages++;
  }

  /** Of the state and the head to which the entries led. */
  result(session: SessionState, { hash }: ChainHead, issue: MacpReceiptIssue): MacpReceiptResult {
    const none = noMacpReceipt(session);
    if (none !== undefined) return { none };
    const payload = this.#payload;
    const commitment = payload && projectionOf(payload, this.#codec);
    if (!payload || !commitment)
      return { none: 'its Commitment holds fields that a commitment hash does not cover' };
    return {
      body: {
        receipt_format: MACP_RECEIPT_FORMAT,
        session_id: session.id,
        mode: session.mode.descriptor.mode,
        commitment,
        commitment_hash: projectionHash(commitment, this.#codec),
        commitment_wire_b64: this.#codec.toBase64(payload),
        semantics_rev: { implementation: IMPLEMENTATION, rev: this.#rev },
        transcript: { digest_alg: CHAIN_DIGEST, digest: hash, message_count: this.#messages },
        issuer: issue.issuer,
        issued_at: wholeSeconds(issue.issuedAt),
      },
    };
  }
}

function wholeSeconds(ms: number): string {
  return `${(formatTimestamp(ms) ?? '').slice(0, -'.000Z'.length)}Z`;
}

export interface MacpReceiptSigner {
  readonly kid: string;
  sign(bytes: Uint8Array): Uint8Array;
}

/** The text that is served, kept and never written anew. */
export function signMacpReceipt(body: MacpReceiptBody, signer: MacpReceiptSigner, codec: Codec): string {
  const signed = body as unknown as JsonObject;
  const header = jwsHeader(signer.kid, codec);
  const signature = signer.sign(signingInput(header, canonicalJson(signed), codec));
  const attestations = [{ type: 'jws', jws: detachedJws(header, signature, codec) }];
  return canonicalJson({ ...signed, attestations });
}
