import type { CheckTransactionOptions, TransactionCheck } from '../../../chain/check-transaction.js';
import type { Hex } from '../../../chain/port.js';
import type { OperationDependencies } from '../dependencies.js';
import type { LookedAt, Proof } from './family.js';

/** Checks the transaction that a claim names; it carries itself. */
export async function proveClaimed(
  { confirmations }: OperationDependencies,
  { claim }: LookedAt,
  check: (txHash: Hex, options: CheckTransactionOptions) => Promise<TransactionCheck>,
): Promise<Proof> {
  const { value, block: seen } = claim;
  const found = await check(value as Hex, { confirmations, ...(seen && { seen }) });
  return found.block ? { ...found, carrier: value, proof: 'transaction' } : found;
}
