/**
 * The chain proves a bundle: every contract of it is there, says the right text and belongs to whoever was asked.
 *
 * B1. A contract of a step that is done was proven with its transaction. Another one than that is not what was deployed.
 * B2. A contract of which only the result tells has to be new: no code stood there when its owner was asked or connected. It
 *     serves one step of the whole server, as a transaction does.
 * B3. A text that was set in a contract which had been there has no such beginning: it needs its transaction.
 */
import { ClaimStanding, contractCarrier, type OperationState, type StepState } from '@handover/core';
import { type ChainClient, ChainErrored, ChainRefused, type Hex } from '../../../../chain/port.js';
import { proveContract } from '../../../../chain/prove-contract.js';
import { readAuthority } from '../../../../chain/read-xrc.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import type { LookedAt, Proof, ResultProof, TakenContract } from '../family.js';
import { proveClaimed } from '../prove-claimed.js';
import { checkDeployment } from './deployment-check.js';
import type { DeployedContract } from './documents.js';

export function proveDeployment(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
  { step, claim }: LookedAt,
): Promise<Proof> {
  return proveClaimed(deps, { step, claim }, async (txHash, options) => {
    const asked = { step: step.id, contracts: contractsOf(record.state) };
    const planned = await deps.documents.deriveForServer(record, 'plannedDeployment', asked);
    return checkDeployment(client, txHash, { claimed: claim.contract, planned }, options);
  });
}

/** By step: what was proven to be there. */
const contractsOf = ({ steps }: OperationState): Readonly<Record<string, string>> =>
  Object.fromEntries(
    steps.flatMap((step) => {
      const contract = doneClaims(step).find((claim) => claim.contract !== undefined)?.contract;
      return contract === undefined ? [] : [[step.id, contract]];
    }),
  );

const doneClaims = ({ claims }: StepState) =>
  claims.filter(({ standing }) => standing === ClaimStanding.Done);

type Found = Pick<ResultProof, 'verdict' | 'reason'> & { readonly owner?: string };
const MATCHED: Found = { verdict: 'matched' };

export async function proveBundle(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
): Promise<ResultProof> {
  const contracts = await deps.documents.deriveForServer(record, 'deployedContracts', undefined);
  if (!contracts) return { verdict: 'mismatched', reason: 'artifact_differs', shown: [] };
  const takes: TakenContract[] = [];
  for (const contract of contracts) {
    const { kind, reuse, address } = contract;
    if (reuse !== undefined && reuse !== address)
      return { verdict: 'mismatched', reason: 'contract_differs', shown: [] };
    // A reused rule was there before and may belong to anybody, so it is not checked.
    if (kind === 'xrc137' && reuse !== undefined) continue;
    const step = record.state.steps.find(({ id }) => id === contract.id);
    if (!step) return { verdict: 'mismatched', reason: 'artifact_differs', shown: [] };
    const isDone = doneClaims(step).length > 0;
    const found = isDone ? sameAsDone(step, contract) : await proveNew(deps, client, record.state, contract);
    const { owner, ...said } = found;
    if (said.verdict !== 'matched') return { ...said, shown: [] };
    if (owner !== undefined)
      takes.push({ step: step.id, carrier: contractCarrier(address), contract: address, owner });
  }
  return { verdict: 'matched', shown: takes.map(({ step }) => step), takes };
}

function sameAsDone(step: StepState, { address, reuse }: DeployedContract): Found {
  const isMade = reuse !== undefined || doneClaims(step).some(({ contract }) => contract === address);
  return isMade ? MATCHED : { verdict: 'mismatched', reason: 'contract_differs' };
}

async function proveNew(
  deps: OperationDependencies,
  client: ChainClient,
  state: OperationState,
  { kind, address: named, text, reuse, ostcId }: DeployedContract,
): Promise<Found> {
  if (reuse !== undefined) return { verdict: 'pending', reason: 'transaction_unknown' };
  const address = named as Hex;
  if ((await client.code(address)) === '0x') return { verdict: 'pending', reason: 'no_code' };
  const { owner } = await readAuthority(client, address);
  if (owner === undefined) return { verdict: 'pending', reason: 'owner_unknown' };
  const expected = { address, kind, text, owner, ...(ostcId !== undefined && { ostcId }) };
  const stands = await proveContract(client, expected, deps.confirmations);
  if (stands.verdict !== 'matched') return stands;
  const bound = boundSince(state, owner);
  if (!bound) return { verdict: 'pending', reason: 'sender_unbound' };
  const before = bound.head === undefined ? undefined : await codeAt(client, address, bound.head);
  if (before === undefined) return { verdict: 'pending', reason: 'age_unknown' };
  return before === '0x' ? { ...MATCHED, owner } : { verdict: 'mismatched', reason: 'too_old' };
}

/** The head of the chain when a wallet of this account was first asked or connected; undefined: none was. */
function boundSince(
  { asks, connected, signer, head }: OperationState,
  owner: string,
): { readonly head?: number } | undefined {
  if (signer !== undefined) return signer === owner ? { ...(head !== undefined && { head }) } : undefined;
  const own = [...asks, ...connected].filter(({ account }) => account === owner);
  if (own.length === 0) return undefined;
  const heads = own.map((one) => one.head ?? head).filter((one) => one !== undefined);
  return heads.length === 0 ? {} : { head: Math.min(...heads) };
}

/** Undefined: this node does not know that block any more. */
async function codeAt(client: ChainClient, address: Hex, block: number): Promise<Hex | undefined> {
  try {
    return await client.code(address, block);
  } catch (failure) {
    if (failure instanceof ChainErrored || failure instanceof ChainRefused) return undefined;
    throw failure;
  }
}
