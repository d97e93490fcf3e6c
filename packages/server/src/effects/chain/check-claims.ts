/**
 * One look at the chain for everything that a record claims. It says what to record and whether to look again; it records
 * nothing itself.
 */
import {
  claimKey,
  Family,
  type Fields,
  isFields,
  listOf,
  member,
  type OperationCommand,
  type StepState,
  StepStatus,
  Verification,
} from '@handover/core';
import { deployedItems, deploymentSteps, encodeText, ostcText, plainTransaction } from '@handover/evm';
import { checkSession } from '../../chain/check-session.js';
import { checkTransaction, type TransactionCheck } from '../../chain/check-transaction.js';
import type { ChainClient, Hex } from '../../chain/port.js';
import { proveContract } from '../../chain/prove-contract.js';
import { readAuthority } from '../../chain/read-xrc.js';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import type { OperationRecord } from '../../services/operations/record.js';

export type Verdict = Extract<OperationCommand, { readonly kind: 'verified' }>;

export interface Look {
  readonly verdicts: readonly Verdict[];
  /** Something is still open. */
  readonly again: boolean;
}

const isOpen = (word: Verification): boolean =>
  word !== Verification.Matched && word !== Verification.Mismatched;

/** Whether there is anything to look for. */
export function hasOpenClaims({ state }: OperationRecord): boolean {
  if (state.closed) return false;
  const steps = state.steps.some(
    ({ status, verification }) => status === StepStatus.Submitted && isOpen(verification),
  );
  return (
    steps ||
    (state.result !== undefined && isOpen(state.result.verification) && awaitsChain(state.result.outcome))
  );
}

const awaitsChain = (outcome: string): boolean => outcome !== 'failed' && outcome !== 'cancelled';

export async function lookAt(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
): Promise<Look> {
  const { state } = record;
  const verdicts: Verdict[] = [];
  for (const step of state.steps) {
    if (step.status !== StepStatus.Submitted || !isOpen(step.verification)) continue;
    const found = await lookAtStep(deps, client, record, step);
    if (found)
      verdicts.push({ kind: 'verified', subject: { step: step.id, claim: claimKey(step.claim) }, ...found });
  }
  const { result } = state;
  if (result && isOpen(result.verification) && awaitsChain(result.outcome)) {
    const found = await lookAtResult(deps, client, record);
    verdicts.push({ kind: 'verified', subject: { result: result.digest }, ...found });
  }
  const open = verdicts.some(({ verdict }) => verdict === 'pending' || verdict === 'reorged');
  return { verdicts, again: open };
}

type Said = Pick<Verdict, 'verdict' | 'block' | 'reason'>;

async function lookAtStep(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
  step: StepState,
): Promise<Said | undefined> {
  const { txHash, sessionId, owner } = step.claim ?? {};
  if (record.state.family === Family.SessionStart)
    return sessionId === undefined || owner === undefined
      ? undefined
      : checkSession(client, { owner, sessionId });
  if (txHash === undefined) return undefined;
  const options = { confirmations: deps.confirmations, ...(step.block && { seen: step.block }) };
  if (record.state.family === Family.BundleDeploy)
    return said(await lookAtDeployment(deps, client, record, step, txHash as Hex, options));
  const index = record.state.steps.indexOf(step);
  const { steps } = await deps.documents.created(record);
  const tx = member(listOf(steps)[index], 'txRequest');
  const from = step.from ?? record.state.account;
  const expected = { ...plainTransaction(isFields(tx) ? tx : {}), ...(from !== undefined && { from }) };
  return said(await checkTransaction(client, txHash as Hex, expected, options));
}

const said = ({ verdict, block, reason }: TransactionCheck): Said => ({
  verdict,
  ...(block && { block }),
  ...(reason !== undefined && { reason }),
});

/**
 * A deployment's creation code is the page's, so it is not compared; what it was given is: the data must end with the very
 * text. Sender and contract address must be those that were named.
 */
async function lookAtDeployment(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
  step: StepState,
  hash: Hex,
  options: Parameters<typeof checkTransaction>[3],
): Promise<TransactionCheck> {
  const transaction = await client.getTransaction(hash);
  if (!transaction) return { verdict: step.block ? 'reorged' : 'pending', reason: 'not_found' };
  const { to, value, data } = transaction;
  const from = record.state.account;
  const expected = { ...(to !== null && { to }), value, data, ...(from !== undefined && { from }) };
  const { bundle } = await deps.documents.created(record);
  const plan = deploymentSteps(bundle as Fields).find(({ id }) => id === step.id);
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

async function lookAtResult(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
): Promise<Said> {
  const result = (await deps.documents.result(record)) ?? {};
  return record.state.family === Family.BundleDeploy
    ? proveBundle(deps, client, record, result)
    : proveSessions(client, record, result);
}

/** By what stands on the chain: every contract is there, says the right text and belongs to the signer. */
async function proveBundle(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
  result: Fields,
): Promise<Said> {
  const bundle = (await deps.documents.created(record)).bundle as Fields;
  const items = deployedItems(isFields(result.artifact) ? result.artifact : {}, bundle);
  if (!items) return { verdict: 'mismatched', reason: 'artifact_differs' };
  const addressOf = new Map(items.map(({ bundleId, itemId, address }) => [`${bundleId}/${itemId}`, address]));
  const plan = deploymentSteps(bundle);
  const owner = record.state.account ?? (await ownerOf(client, plan.at(-1)?.id, addressOf));
  if (owner === undefined) return { verdict: 'pending', reason: 'owner_unknown' };
  for (const step of plan) {
    const address = addressOf.get(step.id);
    if (address === undefined) return { verdict: 'mismatched', reason: 'artifact_differs' };
    // What was there before belongs to whoever it belongs to.
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

async function proveSessions(client: ChainClient, { state }: OperationRecord, result: Fields): Promise<Said> {
  for (const [i, entry] of listOf(result.results).entries()) {
    if (member(entry, 'ok') !== true) continue;
    const claim = state.steps[i]?.claim;
    const owner = [member(entry, 'owner'), claim?.owner, member(entry, 'starter')].find(
      (one) => typeof one === 'string',
    );
    if (typeof owner !== 'string') return { verdict: 'pending', reason: 'owner_unknown' };
    const signer = state.signer ?? state.account;
    if (signer !== undefined && owner.toLowerCase() !== signer)
      return { verdict: 'mismatched', reason: 'owner_differs' };
    const checked = await checkSession(client, {
      owner: owner.toLowerCase(),
      sessionId: String(member(entry, 'sessionId')),
    });
    if (checked.verdict !== 'matched') return checked;
  }
  return { verdict: 'matched' };
}
