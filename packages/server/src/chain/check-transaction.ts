/**
 * Asks the chain about one claimed transaction hash and compares the transaction with the one that was to be signed.
 *
 * K1. `matched` only when the RPC shows the transaction, every field agrees, its receipt says success, the block of the
 *     receipt is the canonical one at its height and is deep enough. Until then it is `pending`.
 * K2. A hash commits to all fields, so a difference is final for that hash, mined or not.
 * K3. A revert counts when it is as deep as a success would have to be: a reorganisation can turn one into the other, and
 *     whoever tries again after a revert must not pay twice. Until then it is `pending` and carries no block.
 * K4. A block that was reported before and is not canonical any more, or a receipt that is gone, is `reorged`, once; the
 *     next look starts over.
 * K5. ChainUnavailable passes through: the caller knows no more than before.
 */
import type { BlockRef, ChainVerdict } from '@handover/core';
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
  readonly verdict: ChainVerdict;
  readonly reason?: string;
  /** Where its successful receipt stands. */
  readonly block?: BlockRef;
  /** 1 when its own block is the newest. */
  readonly confirmations?: number;
  /** What a matching creation has made. */
  readonly contract?: Hex;
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
  { confirmations, seen }: CheckTransactionOptions,
): Promise<TransactionCheck> {
  const absent = (reason: string): TransactionCheck =>
    seen ? { verdict: 'reorged', reason } : { verdict: 'pending', reason };

  const transaction = await client.getTransaction(hash);
  if (!transaction) return absent('not_found');
  const reason = mismatchOf(transaction, expected, client.chainId);
  if (reason) return { verdict: 'mismatched', reason };
  const receipt = await client.getTransactionReceipt(hash);
  if (!receipt) return absent('not_mined');
  // The height is read before the canonical block: read later, it could count blocks of another branch.
  const head = await client.blockNumber();
  const canonical = await client.blockHash(receipt.blockNumber);
  if (canonical !== receipt.blockHash) return absent('block_not_canonical');
  if (seen && seen.hash.toLowerCase() !== receipt.blockHash) return absent('block_changed');
  return judge(receipt, head - receipt.blockNumber + 1, confirmations);
}

function judge(receipt: ChainReceipt, depth: number, needed: number): TransactionCheck {
  const deep = depth >= needed;
  if (receipt.status === 'reverted')
    return { verdict: deep ? 'reverted' : 'pending', reason: 'reverted', confirmations: depth };
  return {
    verdict: deep ? 'matched' : 'pending',
    block: { number: receipt.blockNumber, hash: receipt.blockHash },
    confirmations: depth,
    ...(receipt.contractAddress && { contract: receipt.contractAddress }),
  };
}

/** Undefined when every field agrees. Hex is compared without regard to case: checksummed addresses mean the same. */
export function mismatchOf(
  transaction: ChainTransaction & { readonly delegates?: boolean },
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
