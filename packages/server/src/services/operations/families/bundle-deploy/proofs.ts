/** The chain proves a bundle: every contract is there, holds the right text and belongs to the signer. */
import { boundAccount, ReasonCode } from '@handover/core';
import { encodeText } from '@handover/evm';
import {
  type CheckTransactionOptions,
  checkMined,
  notFound,
  type TransactionCheck,
} from '../../../../chain/check-transaction.js';
import type { ChainClient, ChainTransaction, Hex } from '../../../../chain/port.js';
import { proveContract } from '../../../../chain/prove-contract.js';
import { readAuthority } from '../../../../chain/read-xrc.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import type { LookedAt, Proof, ResultProof } from '../family.js';
import { proveClaimed } from '../prove-claimed.js';
import type { DeployedContract, PlannedDeployment } from './documents.js';

export function proveDeployment(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
  looked: LookedAt,
): Promise<Proof> {
  return proveClaimed(deps, looked, async (txHash, options) => {
    const plan = await deps.documents.deriveForServer(record, 'plannedDeployment', { step: looked.step.id });
    return checkDeployment(client, txHash, { claimed: looked.claim.contract, plan }, options);
  });
}

interface Asked {
  /** The contract that the page named. */
  readonly claimed: string | undefined;
  readonly plan: PlannedDeployment | undefined;
}

/**
 * The page chooses the creation code of a deployment, so it is not compared. Its argument is: the data for a rule must
 * end with exactly the rule's text. The contract address must be the one that was named.
 */
async function checkDeployment(
  client: ChainClient,
  hash: Hex,
  asked: Asked,
  options: CheckTransactionOptions,
): Promise<TransactionCheck> {
  const transaction = await client.getTransaction(hash);
  if (!transaction) return notFound(options);
  const mismatch = deploymentMismatch(transaction, asked.plan);
  const found = await checkMined(client, hash, mismatch, options);
  const checked = { ...found, from: transaction.from, nonce: transaction.nonce };
  const { claimed } = asked;
  if (checked.contract === undefined || claimed === undefined || checked.contract === claimed) return checked;
  const verdict = checked.verdict === 'matched' ? 'different' : 'shallow';
  return { ...checked, verdict, reason: ReasonCode.Mismatched, detail: 'contract_differs' };
}

function deploymentMismatch(
  { to, value, data }: ChainTransaction,
  plan: PlannedDeployment | undefined,
): string | undefined {
  if (value !== 0n) return 'value_differs';
  if ((to === null) !== (plan?.reuse === undefined)) return 'to_differs';
  if (plan?.kind === 'xrc137' && !data.endsWith(encodeText(plan.text))) return 'data_differs';
  return undefined;
}

export async function proveBundle(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
): Promise<ResultProof> {
  const contracts = await deps.documents.deriveForServer(record, 'deployedContracts', undefined);
  if (!contracts) return { verdict: 'mismatched', reason: 'artifact_differs', shown: [] };
  const owner = boundAccount(record.state) ?? (await ownerOf(client, contracts.at(-1)));
  if (owner === undefined) return { verdict: 'pending', reason: 'owner_unknown', shown: [] };
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
    if (proof.verdict !== 'matched') return { ...proof, shown: [] };
  }
  return { verdict: 'matched', shown: record.state.steps.map(({ id }) => id) };
}

/** Without a bound account the contracts must at least all belong to one owner: that of the orchestration. */
async function ownerOf(
  client: ChainClient,
  orchestration: DeployedContract | undefined,
): Promise<string | undefined> {
  return orchestration && (await readAuthority(client, orchestration.address as Hex)).owner;
}
