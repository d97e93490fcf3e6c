/**
 * Whether a transaction is what a step of a bundle asked for.
 *
 * D1. The page chooses the creation code, so it is not compared. Its arguments are, and the call into a contract that is
 *     there already is compared as a whole.
 * D2. What it has made must stand there as asked, as of its own block: code, text, and whoever sent it as the owner. So a
 *     step is confirmed only by a contract that does what was asked for, and a bundle whose steps are all confirmed stands.
 * D3. An orchestration names its rules by address, so it is compared once these are known.
 */
import { ReasonCode } from '@handover/core';
import { creationData, setOstcData } from '@handover/evm';
import {
  type CheckTransactionOptions,
  checkMined,
  MismatchReason,
  notFound,
  type TransactionCheck,
} from '../../../../chain/check-transaction.js';
import { type ChainClient, ChainErrored, type ChainTransaction, type Hex } from '../../../../chain/port.js';
import { type ContractProof, contractAt } from '../../../../chain/prove-contract.js';
import type { PlannedDeployment, StepPlan } from './documents.js';

export interface AskedDeployment {
  /** The contract that the page named. */
  readonly claimed: string | undefined;
  readonly planned: StepPlan | undefined;
}

export async function checkDeployment(
  client: ChainClient,
  hash: Hex,
  { claimed, planned }: AskedDeployment,
  options: CheckTransactionOptions,
): Promise<TransactionCheck> {
  const transaction = await client.getTransaction(hash);
  if (!transaction) return notFound(options);
  const mismatch = planned ? deploymentMismatch(transaction, planned, client.chainId) : MismatchReason.Data;
  const found = await checkMined(client, hash, mismatch, options);
  const checked = { ...found, from: transaction.from, nonce: transaction.nonce };
  const { contract, verdict } = checked;
  if (contract !== undefined && claimed !== undefined && contract !== claimed)
    return differing(
      { ...checked, verdict: verdict === 'matched' ? 'different' : 'shallow' },
      'contract_differs',
    );
  if (verdict !== 'matched' || !planned) return checked;
  if (!planned.isWhole) return { ...checked, verdict: 'pending', detail: 'rule_unknown' };
  return standing(client, checked, planned.plan, transaction.from);
}

const differing = (checked: TransactionCheck, detail: string): TransactionCheck => ({
  ...checked,
  reason: ReasonCode.Mismatched,
  detail,
  differs: true,
});

function deploymentMismatch(
  { to, value, data, chainId, delegates }: ChainTransaction,
  { plan, isWhole }: StepPlan,
  chain: number,
): string | undefined {
  if (chainId !== undefined && chainId !== chain) return MismatchReason.Chain;
  if (value !== 0n) return MismatchReason.Value;
  if (delegates) return MismatchReason.Delegates;
  const { reuse, text, ostcId = '' } = plan;
  if (to !== (reuse ?? null)) return MismatchReason.To;
  if (!isWhole) return undefined;
  const isSame =
    reuse === undefined ? data.endsWith(creationData('', plan)) : data === setOstcData(ostcId, text);
  return isSame ? undefined : MismatchReason.Data;
}

/** What the transaction has left on the chain. */
async function standing(
  client: ChainClient,
  checked: TransactionCheck,
  { kind, text, ostcId, reuse }: PlannedDeployment,
  owner: Hex,
): Promise<TransactionCheck> {
  const { contract: made, block } = checked;
  const address = (reuse as Hex | undefined) ?? made;
  if (address === undefined || !block) return { ...checked, verdict: 'pending', detail: 'no_code' };
  const expected = {
    address,
    kind,
    text,
    ...(ostcId !== undefined && { ostcId }),
    // Whoever may set the text of a contract that is there need not own it.
    ...(reuse === undefined && { owner }),
  };
  const { verdict, reason = '' } = await asOf(client, block.number, (at) => contractAt(client, expected, at));
  if (verdict === 'matched') return checked;
  return verdict === 'pending'
    ? { ...checked, verdict, detail: reason }
    : differing({ ...checked, verdict: 'different' }, reason);
}

/** A node that has forgotten that block is asked about now, and what has changed since is held against nobody. */
async function asOf(
  client: ChainClient,
  block: number,
  read: (at: number) => Promise<ContractProof>,
): Promise<ContractProof> {
  try {
    return await read(block);
  } catch (failure) {
    if (!(failure instanceof ChainErrored)) throw failure;
    const now = await read(await client.blockNumber());
    return now.verdict === 'matched' ? now : { verdict: 'pending', reason: 'state_unknown' };
  }
}
