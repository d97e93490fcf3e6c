import type { StepState } from '@handover/core';
import type { CheckTransactionOptions, TransactionCheck } from '../../../chain/check-transaction.js';
import type { Hex } from '../../../chain/port.js';
import type { OperationDependencies } from '../dependencies.js';
import type { Said } from './family.js';

/** Checks the transaction that a step claims. Undefined: the claim names none. */
export async function proveClaimed(
  { confirmations }: OperationDependencies,
  { claim, block: seen }: StepState,
  check: (txHash: Hex, options: CheckTransactionOptions) => Promise<TransactionCheck>,
): Promise<Said | undefined> {
  if (claim?.txHash === undefined) return undefined;
  const { verdict, block, reason } = await check(claim.txHash as Hex, {
    confirmations,
    ...(seen && { seen }),
  });
  return { verdict, ...(block && { block }), ...(reason !== undefined && { reason }) };
}
