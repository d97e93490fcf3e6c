/**
 * Asks the chain about one transaction hash and compares the transaction with the one that was to be signed.
 *
 * K1. `matched` only when the RPC shows the transaction, every field agrees, its receipt says success, the block of the
 *     receipt is the canonical one at its height and is deep enough. Until then it is `pending`.
 * K2. A hash commits to all fields, so a difference stays. It counts (`different`) once it has succeeded and is deep: until
 *     then nothing has moved for good (`shallow`).
 * K3. A revert counts when it is as deep as a success would have to be: a reorganisation can turn one into the other, and
 *     whoever tries again after a revert must not pay twice. Until then it is `pending` and carries no block. A
 *     revert of something else is still something else: it keeps its difference.
 * K4. A block that was reported before and is not canonical any more, or a receipt that is gone, is `reorged`, once; the
 *     next look starts over.
 * K5. ChainUnavailable passes through: the caller knows no more than before.
 */
import { type BlockRef, ReasonCode, type Verdict } from '@handover/core';
import type { ChainClient, ChainReceipt, ChainTransaction, Hex } from './port.js';

export interface ExpectedTransaction {
  /** Undefined: whoever signed it. */
  readonly from?: string;
  /** Undefined: contract creation. */
  readonly to?: string;
  readonly value: bigint;
  readonly data: string;
}

export const MismatchReason = {
  Chain: 'chain_differs',
  From: 'from_differs',
  To: 'to_differs',
  Value: 'value_differs',
  Data: 'data_differs',
  /** It also hands the account to code (EIP-7702), which nobody asked for. */
  Delegates: 'delegates_account',
} as const;
export type MismatchReason = (typeof MismatchReason)[keyof typeof MismatchReason];

export interface TransactionCheck {
  readonly verdict: Extract<
    Verdict,
    'pending' | 'reorged' | 'shallow' | 'matched' | 'reverted' | 'different'
  >;
  readonly reason?: ReasonCode;
  readonly detail?: string;
  /** It is not what was asked, whatever became of it. */
  readonly differs?: true;
  /** Where its receipt stands. */
  readonly block?: BlockRef;
  /** Who signed it, once it is known. */
  readonly from?: Hex;
  readonly nonce?: number;
  /** 1 when its own block is the newest. */
  readonly confirmations?: number;
  /** What a matching creation has made. */
  readonly contract?: Hex;
  /** What one without effect has cost. */
  readonly fee?: string;
}

export interface CheckTransactionOptions {
  readonly confirmations: number;
  /** Where the receipt was seen at the last look. */
  readonly seen?: BlockRef;
}

type TransactionReader = Pick<
  ChainClient,
  'chainId' | 'blockNumber' | 'blockHash' | 'getTransaction' | 'getTransactionReceipt'
>;

export async function checkTransaction(
  client: TransactionReader,
  hash: Hex,
  expected: ExpectedTransaction,
  options: CheckTransactionOptions,
): Promise<TransactionCheck> {
  const transaction = await client.getTransaction(hash);
  if (!transaction) return notFound(options);
  const mismatch = mismatchOf(transaction, expected, client.chainId);
  const check = await checkMined(client, hash, mismatch, options);
  return { ...check, from: transaction.from, nonce: transaction.nonce };
}

/** Whether and how it was mined, and how deep. */
export async function checkMined(
  client: TransactionReader,
  hash: Hex,
  mismatch: string | undefined,
  options: CheckTransactionOptions,
): Promise<TransactionCheck> {
  const receipt = await client.getTransactionReceipt(hash);
  if (!receipt) return mismatch === undefined ? absent(options, 'not_mined') : mismatched(mismatch);
  // The height is read before the canonical block: read later, it could count blocks of another branch.
  const head = await client.blockNumber();
  const canonical = await client.blockHash(receipt.blockNumber);
  if (canonical !== receipt.blockHash) return absent(options, 'block_not_canonical');
  const { seen, confirmations } = options;
  if (seen && seen.hash.toLowerCase() !== receipt.blockHash) return absent(options, 'block_changed');
  return judge(receipt, head - receipt.blockNumber + 1, confirmations, mismatch);
}

const absent = ({ seen }: CheckTransactionOptions, detail: string): TransactionCheck =>
  seen ? { verdict: 'reorged', reason: ReasonCode.Reorged, detail } : { verdict: 'pending', detail };

/** The node knows no such transaction. */
export const notFound = (options: CheckTransactionOptions): TransactionCheck => absent(options, 'not_found');

const mismatched = (detail: string): TransactionCheck => ({
  verdict: 'shallow',
  reason: ReasonCode.Mismatched,
  detail,
  differs: true,
});

function judge(
  receipt: ChainReceipt,
  depth: number,
  needed: number,
  mismatch: string | undefined,
): TransactionCheck {
  const isDeep = depth >= needed;
  const block = { number: receipt.blockNumber, hash: receipt.blockHash };
  if (receipt.status === 'reverted') {
    if (mismatch !== undefined) return revertedOther(mismatch, depth, isDeep ? block : undefined);
    const reverted = { detail: 'reverted', confirmations: depth };
    const fee = receipt.fee === undefined ? {} : { fee: String(receipt.fee) };
    return isDeep
      ? { verdict: 'reverted', reason: ReasonCode.Reverted, block, ...reverted, ...fee }
      : { verdict: 'pending', ...reverted };
  }
  if (mismatch !== undefined)
    return { ...mismatched(mismatch), ...(isDeep && { verdict: 'different' }), block, confirmations: depth };
  return {
    verdict: isDeep ? 'matched' : 'pending',
    block,
    confirmations: depth,
    ...(receipt.contractAddress && { contract: receipt.contractAddress }),
  };
}

/** Something else was tried, and came to nothing. Without a block it is not deep. */
function revertedOther(mismatch: string, depth: number, block: BlockRef | undefined): TransactionCheck {
  const other = { ...mismatched(mismatch), confirmations: depth };
  return block ? { ...other, verdict: 'reverted', block } : other;
}

/** Undefined when every field agrees. Hex is compared without regard to case: checksummed addresses mean the same. */
export function mismatchOf(
  transaction: ChainTransaction,
  expected: ExpectedTransaction,
  chainId: number,
): MismatchReason | undefined {
  const same = (left: string | null | undefined, right: string | null | undefined) =>
    (left ?? '').toLowerCase() === (right ?? '').toLowerCase();
  // Without replay protection it names no chain, but it was found on this one.
  if (transaction.chainId !== undefined && transaction.chainId !== chainId) return MismatchReason.Chain;
  if (expected.from !== undefined && !same(transaction.from, expected.from)) return MismatchReason.From;
  if (!same(transaction.to, expected.to)) return MismatchReason.To;
  if (transaction.value !== expected.value) return MismatchReason.Value;
  if (!same(transaction.data, expected.data)) return MismatchReason.Data;
  return transaction.delegates ? MismatchReason.Delegates : undefined;
}
