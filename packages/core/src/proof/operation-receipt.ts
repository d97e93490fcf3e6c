/**
 * The receipt of an operation: what was asked (by digest), what wallets were asked and gave, what the chain showed, and
 * what moved. It is signed like the receipt of a handoff, over a domain of its own, so that neither can pass for the other.
 *
 * O1. The first is issued when a record is over or closed, and another whenever status, effect or a carrier changes
 *     afterwards. Each names the digest of the one before it, so that none can be left out unseen.
 * O2. `issued_at` is the time of the entry, so that asking twice gives the same bytes.
 * O3. It says what was asked for, and of what was found whose account did it: who reads it has nothing else at hand.
 * O4. Nothing in it says that a person did anything: the account that signed is the only evidence of one.
 */
import type { Codec } from '../envelope/codec.js';
import type { ChainHead } from '../log/entry.js';
import { canonicalJson, type Json } from '../log/json.js';
import { asksOf } from '../operation/effect.js';
import { reasonOf } from '../operation/reason.js';
import { claimAccount } from '../operation/shown.js';
import {
  AskStanding,
  type AskState,
  ClaimStanding,
  type ClaimState,
  type OperationState,
  reportUntil,
  type StepState,
} from '../operation/state.js';
import { callFacts } from '../operation/step-call.js';
import { AskAnswer } from '../operation/words.js';
import { anyList, hexHash, matching, oneOf, type Reader, shape, text, whole } from './document.js';
import type { ReceiptSigner } from './receipt.js';

export const OPERATION_RECEIPT_FORMAT = 'handover-operation-receipt@2';
export const DOMAIN_2 = 'handover-operation-receipt/2:';

const digest = matching(/^sha256:[0-9a-f]{64}$/, '"sha256:" and 64 lowercase hex digits');
const amount = matching(/^(?:0|[1-9][0-9]{0,77})$/, 'a decimal number');
const address = matching(/^0x[0-9a-f]{40}$/, '"0x" and 40 lowercase hex digits');
const bytes = matching(/^0x(?:[0-9a-f]{2})*$/, '"0x" and whole bytes in lowercase hex');
const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (value, path) =>
    anyList(value, path).map((one, i) => read(one, `${path}[${i}]`));

const asks = shape(
  { made: whole, refused: whole, not_opened: whole, said_not_signed: whole, unclear: whole, lapsed: whole },
  {},
);
const claim = shape(
  { kind: text, value: text, verification: text, source: text },
  {
    carrier: text,
    frames: listOf(text),
    proof: text,
    block: whole,
    bound_by: text,
    reason: text,
    owner: text,
    contract: text,
    account: text,
  },
);
/** What was asked for. Amounts are decimal, in the smallest unit. */
const call = shape({ kind: text }, { to: address, value: amount, data: bytes, data_digest: digest });
const step = shape(
  { id: text, status: text, effect: text, asks, claims: listOf(claim) },
  { bound_by: text, call },
);

const BODY = {
  format: oneOf(OPERATION_RECEIPT_FORMAT),
  no: whole,
  tenant: text,
  operation_id: text,
  family: text,
  chain_id: whole,
  digest,
  created_by: text,
  created_at: whole,
  outcome: text,
  effect: text,
  basis: listOf(text),
  /** Until when a claim can still change it. */
  report_until: whole,
  acknowledged: listOf(text),
  steps: listOf(step),
  chain: shape({ seq: whole, hash: hexHash }, {}),
};
const OPTIONAL = { supersedes: digest, reason: text, result_digest: text, creation_code: text };
const SIGNED = { issued_at: whole, key_id: text, public_key: text, signature: text };

export const readOperationReceipt2 = shape({ ...BODY, ...SIGNED }, OPTIONAL);
export type OperationReceipt = ReturnType<typeof readOperationReceipt2>;
type Body = Omit<OperationReceipt, keyof typeof SIGNED>;

/** Where a record stood when a receipt was issued, and the digest of the receipt before it. */
export interface ReceiptPoint {
  readonly tenant: string;
  readonly state: OperationState;
  readonly head: ChainHead;
  readonly no: number;
  readonly supersedes?: string;
}

export function signOperationReceipt(
  point: ReceiptPoint,
  signer: ReceiptSigner,
  codec: Codec,
): OperationReceipt {
  const { keyId, publicKey } = signer;
  const signed = { ...bodyOf(point), issued_at: point.head.at, key_id: keyId, public_key: publicKey };
  const signature = codec.toBase64(signer.sign(signedBytes2(signed, codec)));
  // In canonical order, so that it is a canonical document when it is written to a file.
  return JSON.parse(canonicalJson({ ...signed, signature } as unknown as Json)) as OperationReceipt;
}

/** What the next receipt names. */
export function operationReceiptDigest(
  { signature: _signature, ...signed }: OperationReceipt,
  codec: Codec,
): string {
  return `sha256:${codec.sha256(signedBytes2(signed, codec))}`;
}

export function signedBytes2(signed: Omit<OperationReceipt, 'signature'>, codec: Codec): Uint8Array {
  return codec.utf8(DOMAIN_2 + canonicalJson(signed as unknown as Json));
}

function bodyOf({ tenant, state, head, no, supersedes }: ReceiptPoint): Body {
  const reason = reasonOf(state);
  return {
    format: OPERATION_RECEIPT_FORMAT,
    no,
    ...(supersedes !== undefined && { supersedes }),
    tenant,
    operation_id: state.id,
    family: state.family,
    chain_id: state.chainId,
    digest: state.digest,
    created_by: state.creator,
    created_at: state.createdAt,
    outcome: state.closed ? `${state.status} (closed)` : state.status,
    effect: state.effect,
    basis: [...state.basis],
    ...(reason && { reason: reason.code }),
    report_until: reportUntil(state),
    acknowledged: [],
    steps: state.steps.map((one) => stepPart(one, state)),
    ...(state.result && { result_digest: state.result.digest }),
    chain: { seq: head.seq, hash: head.hash },
  };
}

function stepPart(one: StepState, state: OperationState): Body['steps'][number] {
  const { id, status, effect, claims, call } = one;
  const boundBy = claims.find(({ standing }) => standing === ClaimStanding.Done)?.boundBy;
  return {
    id,
    status,
    effect,
    ...(boundBy !== undefined && { bound_by: boundBy }),
    ...(call && { call: callFacts(call) }),
    asks: askCounts(asksOf(state.asks, one)),
    claims: claims.map((claim) => claimPart(claim, claimAccount(state, one, claim))),
  };
}

/** What was said of an ask stays said, also when a claim came later: a receipt proves who had said what. */
function askCounts(made: readonly AskState[]): Body['steps'][number]['asks'] {
  const said = (word: AskAnswer) => made.filter((ask) => ask.said?.includes(word)).length;
  const stands = (...words: readonly AskStanding[]) =>
    made.filter(({ standing }) => words.includes(standing)).length;
  return {
    made: made.length,
    refused: said(AskAnswer.Refused),
    not_opened: said(AskAnswer.NotOpened),
    said_not_signed: said(AskAnswer.SaidNotSigned),
    unclear: stands(AskStanding.Open, AskStanding.Unclear),
    lapsed: stands(AskStanding.Lapsed),
  };
}

function claimPart(one: ClaimState, account: string | undefined): Body['steps'][number]['claims'][number] {
  const { kind, value, verification, source, carrier, frames } = one;
  const { proof, block, boundBy, reason, owner, contract } = one;
  return {
    kind,
    value,
    verification,
    source,
    ...(carrier !== undefined && { carrier }),
    ...(frames && { frames }),
    ...(proof !== undefined && { proof }),
    ...(block && { block: block.number }),
    ...(boundBy !== undefined && { bound_by: boundBy }),
    ...(reason !== undefined && { reason }),
    ...(owner !== undefined && { owner }),
    ...(contract !== undefined && { contract }),
    ...(account !== undefined && { account }),
  };
}
