/** The chain proves a bundle: every contract is there, holds the right text and belongs to the signer. */
import type { StepState } from '@handover/core';
import { encodeText } from '@handover/evm';
import {
  type CheckTransactionOptions,
  checkTransaction,
  type TransactionCheck,
} from '../../../../chain/check-transaction.js';
import type { ChainClient, Hex } from '../../../../chain/port.js';
import { proveContract } from '../../../../chain/prove-contract.js';
import { readAuthority } from '../../../../chain/read-xrc.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import type { Said } from '../family.js';
import { proveClaimed } from '../prove-claimed.js';
import type { DeployedContract, PlannedDeployment } from './documents.js';

export function proveDeployment(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
  step: StepState,
): Promise<Said | undefined> {
  return proveClaimed(deps, step, async (txHash, options) => {
    const plan = await deps.documents.deriveForServer(record, 'plannedDeployment', { step: step.id });
    return checkDeployment(client, txHash, { step, account: record.state.account, plan }, options);
  });
}

interface Asked {
  readonly step: StepState;
  readonly account: string | undefined;
  readonly plan: PlannedDeployment | undefined;
}

/**
 * The page chooses the creation code of a deployment, so it is not compared. Its argument is: the data for a rule must
 * end with exactly the rule's text. Sender and contract address must be those that were named.
 */
async function checkDeployment(
  client: ChainClient,
  hash: Hex,
  { step, account: from, plan }: Asked,
  options: CheckTransactionOptions,
): Promise<TransactionCheck> {
  const transaction = await client.getTransaction(hash);
  if (!transaction) return { verdict: step.block ? 'reorged' : 'pending', reason: 'not_found' };
  const { to, value, data } = transaction;
  const expected = { ...(to !== null && { to }), value, data, ...(from !== undefined && { from }) };
  if (value !== 0n) return { verdict: 'mismatched', reason: 'value_differs' };
  if ((to === null) !== (plan?.reuse === undefined)) return { verdict: 'mismatched', reason: 'to_differs' };
  if (plan?.kind === 'xrc137' && !data.endsWith(encodeText(plan.text)))
    return { verdict: 'mismatched', reason: 'data_differs' };
  const checked = await checkTransaction(client, hash, expected, options);
  const claimed = step.claim?.contract;
  return checked.contract !== undefined && claimed !== undefined && checked.contract !== claimed
    ? { verdict: 'mismatched', reason: 'contract_differs' }
    : checked;
}

export async function proveBundle(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
): Promise<Said> {
  const contracts = await deps.documents.deriveForServer(record, 'deployedContracts', undefined);
  if (!contracts) return { verdict: 'mismatched', reason: 'artifact_differs' };
  const owner = record.state.account ?? (await ownerOf(client, contracts.at(-1)));
  if (owner === undefined) return { verdict: 'pending', reason: 'owner_unknown' };
  for (const { kind, address, text, reuse, ostcId } of contracts) {
    // A reused rule was there before and may belong to anybody, so it is not checked.
    if (kind === 'xrc137' && reuse !== undefined) continue;
    const expected = {
      address: address as Hex,
      kind,
      text,
      owner,
      ...(ostcId !== undefined && { ostcId }),
    };
    const proof = await proveContract(client, expected, deps.confirmations);
    if (proof.verdict !== 'matched') return proof;
  }
  return { verdict: 'matched' };
}

/** Without a bound account the contracts must at least all belong to one owner: that of the orchestration. */
async function ownerOf(
  client: ChainClient,
  orchestration: DeployedContract | undefined,
): Promise<string | undefined> {
  return orchestration && (await readAuthority(client, orchestration.address as Hex)).owner;
}
