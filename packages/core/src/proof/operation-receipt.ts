/**
 * The receipt of an operation that is over: what was asked (by digest), what the person did, what the chain said. It is
 * signed like the receipt of a handoff, over a domain of its own, so that neither can pass for the other.
 */
import type { Codec } from '../envelope/codec.js';
import type { ChainHead } from '../log/entry.js';
import { canonicalJson, type Json } from '../log/json.js';
import { claimFacts } from '../operation/claim-facts.js';
import { isOver, type OperationState, type StepState, verificationOf } from '../operation/state.js';
import { anyList, hexHash, matching, oneOf, reading, shape, text, whole } from './document.js';
import type { Flaw } from './flaw.js';
import type { ReceiptSigner } from './receipt.js';
import type { VerifySignature } from './verify-receipt.js';

export const OPERATION_RECEIPT_FORMAT = 'handover-operation-receipt@1';
const DOMAIN = 'handover-operation-receipt/1:';

const step = shape(
  { id: text, status: text, verification: text },
  { tx_hash: text, contract: text, session_id: text, owner: text, block: whole },
);
const steps = (value: Json | undefined, path: string) =>
  anyList(value, path).map((one, i) => step(one, `${path}[${i}]`));

const BODY = {
  format: oneOf(OPERATION_RECEIPT_FORMAT),
  tenant: text,
  operation_id: text,
  family: text,
  chain_id: whole,
  digest: matching(/^sha256:[0-9a-f]{64}$/, '"sha256:" and 64 lowercase hex digits'),
  created_by: text,
  created_at: whole,
  ended_at: whole,
  outcome: text,
  /** unverified: the chain was never asked, or never answered. */
  verification: text,
  steps,
  chain: shape({ seq: whole, hash: hexHash }, {}),
};
const OPTIONAL = { account: text, result_digest: text };
const SIGNED = { issued_at: whole, key_id: text, public_key: text, signature: text };

export const readOperationReceipt = shape({ ...BODY, ...SIGNED }, OPTIONAL);
export type OperationReceipt = ReturnType<typeof readOperationReceipt>;
export type OperationReceiptBody = Omit<OperationReceipt, keyof typeof SIGNED>;

/** Undefined while it is not over. */
export function operationReceipt(
  tenant: string,
  state: OperationState,
  head: ChainHead,
): OperationReceiptBody | undefined {
  if (!isOver(state)) return undefined;
  return {
    format: OPERATION_RECEIPT_FORMAT,
    tenant,
    operation_id: state.id,
    family: state.family,
    chain_id: state.chainId,
    digest: state.digest,
    created_by: state.creator,
    created_at: state.createdAt,
    ended_at: state.updatedAt,
    outcome: state.closed ? `${state.status} (closed)` : state.status,
    verification: verificationOf(state),
    steps: state.steps.map(stepPart),
    ...(state.account !== undefined && { account: state.account }),
    ...(state.result && { result_digest: state.result.digest }),
    chain: { seq: head.seq, hash: head.hash },
  };
}

function stepPart({ id, status, verification, claim, block }: StepState) {
  return {
    id,
    status,
    verification,
    ...(claim && claimFacts(claim)),
    ...(block && { block: block.number }),
  };
}

export function signOperationReceipt(
  body: OperationReceiptBody,
  issuedAt: number,
  signer: ReceiptSigner,
  codec: Codec,
): OperationReceipt {
  const signed = { ...body, issued_at: issuedAt, key_id: signer.keyId, public_key: signer.publicKey };
  const signature = codec.toBase64(signer.sign(signedBytes(signed, codec)));
  // In canonical order, so that it is a canonical document when it is written to a file.
  return JSON.parse(canonicalJson({ ...signed, signature } as unknown as Json)) as OperationReceipt;
}

/** What is wrong with a receipt, or undefined. Whose key it is has to be known from elsewhere. */
export function operationReceiptFlaw(value: Json, codec: Codec, verify: VerifySignature): Flaw | undefined {
  const read = reading(() => readOperationReceipt(value, ''));
  if ('flaw' in read) return read.flaw;
  const { signature, ...signed } = read.value;
  const bytes = codec.fromBase64(signature);
  if (bytes && verify(read.value.public_key, signedBytes(signed, codec), bytes)) return undefined;
  return {
    path: 'signature',
    what: 'does not fit: a value of the receipt, or the signature itself, was changed',
  };
}

function signedBytes(signed: Omit<OperationReceipt, 'signature'>, codec: Codec): Uint8Array {
  return codec.utf8(DOMAIN + canonicalJson(signed as unknown as Json));
}
