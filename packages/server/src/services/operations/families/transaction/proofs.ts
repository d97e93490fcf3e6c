/** A transaction is proven when sender, target, value and data on the chain are those that were asked for. */
import type { StepState } from '@handover/core';
import { plainTransaction } from '@handover/evm';
import { checkTransaction } from '../../../../chain/check-transaction.js';
import type { ChainClient } from '../../../../chain/port.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import type { Said } from '../family.js';
import { proveClaimed } from '../prove-claimed.js';

export function proveTransaction(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
  step: StepState,
): Promise<Said | undefined> {
  return proveClaimed(deps, step, async (txHash, options) => {
    const index = record.state.steps.indexOf(step);
    const tx = await deps.documents.deriveForServer(record, 'transactionRequest', { index });
    const from = step.from ?? record.state.account;
    const expected = { ...plainTransaction(tx), ...(from !== undefined && { from }) };
    return checkTransaction(client, txHash, expected, options);
  });
}
