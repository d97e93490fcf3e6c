/** The chain proves a bundle: every contract is there, holds the right text and belongs to the signer. */
import { type Fields, isFields, listOf, member, type StepState } from '@handover/core';
import { deployedItems, deploymentSteps, encodeText, ostcText } from '@handover/evm';
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

export function proveDeployment(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
  step: StepState,
): Promise<Said | undefined> {
  return proveClaimed(deps, step, async (txHash, options) => {
    const { bundle } = await deps.documents.created(record);
    const asked = { step, account: record.state.account, bundle: bundle as unknown as Fields };
    return checkDeployment(client, txHash, asked, options);
  });
}

interface Asked {
  readonly step: StepState;
  readonly account: string | undefined;
  readonly bundle: Fields;
}

/**
 * The page chooses the creation code of a deployment, so it is not compared. Its argument is: the data for a rule must
 * end with exactly the rule's text. Sender and contract address must be those that were named.
 */
async function checkDeployment(
  client: ChainClient,
  hash: Hex,
  { step, account: from, bundle }: Asked,
  options: CheckTransactionOptions,
): Promise<TransactionCheck> {
  const transaction = await client.getTransaction(hash);
  if (!transaction) return { verdict: step.block ? 'reorged' : 'pending', reason: 'not_found' };
  const { to, value, data } = transaction;
  const expected = { ...(to !== null && { to }), value, data, ...(from !== undefined && { from }) };
  const plan = deploymentSteps(bundle).find(({ id }) => id === step.id);
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
  const result = await deps.documents.result(record);
  const bundle = (await deps.documents.created(record)).bundle as unknown as Fields;
  const items = deployedItems(isFields(result?.artifact) ? result.artifact : {}, bundle);
  if (!items) return { verdict: 'mismatched', reason: 'artifact_differs' };
  const addressOf = new Map(items.map(({ bundleId, itemId, address }) => [`${bundleId}/${itemId}`, address]));
  const plan = deploymentSteps(bundle);
  const owner = record.state.account ?? (await ownerOf(client, plan.at(-1)?.id, addressOf));
  if (owner === undefined) return { verdict: 'pending', reason: 'owner_unknown' };
  for (const step of plan) {
    const address = addressOf.get(step.id);
    if (address === undefined) return { verdict: 'mismatched', reason: 'artifact_differs' };
    // A reused rule was there before and may belong to anybody, so it is not checked.
    if (step.kind === 'xrc137' && step.reuse !== undefined) continue;
    const text = step.kind === 'xrc137' ? step.text : resolvedText(bundle, step.bundleId, addressOf);
    const proof = await proveContract(
      client,
      {
        address: address as Hex,
        kind: step.kind,
        text,
        owner,
        ...(step.ostcId !== undefined && { ostcId: step.ostcId }),
      },
      deps.confirmations,
    );
    if (proof.verdict !== 'matched') return proof;
  }
  return { verdict: 'matched' };
}

/** The orchestration's text with the addresses that the result names for its rules. */
function resolvedText(bundle: Fields, bundleId: string, addressOf: ReadonlyMap<string, string>): string {
  const items = listOf(
    member(
      listOf(bundle.bundles).find((one) => member(one, 'bundleId') === bundleId),
      'items',
    ),
  );
  const rules = new Map(
    items.map((item) => [member(member(item, 'meta'), 'alias'), `${bundleId}/${String(member(item, 'id'))}`]),
  );
  const orchestration = items.find((item) => member(member(item, 'meta'), 'type') === 'xrc729');
  return ostcText(isFields(orchestration) ? orchestration : {}, (alias) =>
    addressOf.get(rules.get(alias) ?? ''),
  );
}

/** Without a bound account the contracts must at least all belong to one owner: that of the orchestration. */
async function ownerOf(
  client: ChainClient,
  step: string | undefined,
  addressOf: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const address = addressOf.get(step ?? '');
  return address === undefined ? undefined : (await readAuthority(client, address as Hex)).owner;
}
