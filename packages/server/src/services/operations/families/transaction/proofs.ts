/** A transaction is proven when target, value and data on the chain are those that were asked for. */
import type { StepState } from '@handover/core';
import { type PlainTransaction, plainTransaction } from '@handover/evm';
import { checkTransaction } from '../../../../chain/check-transaction.js';
import type { ChainClient } from '../../../../chain/port.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import type { LookedAt, Proof } from '../family.js';
import { proveClaimed } from '../prove-claimed.js';

/** Who may have signed it is judged for all families alike; only `from` of the request itself is compared here. */
export function proveTransaction(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
  looked: LookedAt,
): Promise<Proof> {
  return proveClaimed(deps, looked, async (txHash, options) => {
    const { from } = looked.step;
    const asked = await askedTransaction(deps, record, looked.step);
    const expected = { ...asked, ...(from !== undefined && { from }) };
    return checkTransaction(client, txHash, expected, options);
  });
}

export async function askedTransaction(
  deps: OperationDependencies,
  record: OperationRecord,
  { id }: StepState,
): Promise<PlainTransaction> {
  const index = record.state.steps.findIndex((step) => step.id === id);
  return plainTransaction(await deps.documents.deriveForServer(record, 'transactionRequest', { index }));
}
