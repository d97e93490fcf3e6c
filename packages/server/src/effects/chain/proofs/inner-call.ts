/**
 * Whether a mined transaction holds the call that a contract account was asked to make: the ladder of proofs, strongest
 * first (review:2.3).
 *
 * I1. A transaction that reverted settles nothing here: what the owners signed can be carried out again by another.
 * I2. Where nothing can be shown, the effect stays unknown (INNER_CALL_UNPROVEN), however the transaction ended.
 */
import { type BlockRef, ReasonCode } from '@handover/core';
import { type AskedCall, effectLines, frameNames } from '@handover/evm';
import { checkMined, MismatchReason, type TransactionCheck } from '../../../chain/check-transaction.js';
import type { ChainClient, Hex } from '../../../chain/port.js';
import type { OperationDependencies } from '../../../services/operations/dependencies.js';
import type { Proof } from '../../../services/operations/families/family.js';
import { entryPointsOf, singletonsOf } from './accounts.js';
import { executionsIn } from './executions.js';
import { showBySafeEvent } from './safe-event.js';
import { type Inner, ProofName, type Shown } from './shown.js';
import { showByEffects } from './token-effects.js';
import { showByTrace } from './trace.js';
import { showByUserOperation } from './user-operation.js';

export interface InnerCall {
  readonly account: Hex;
  readonly asked: AskedCall;
  readonly carrier: Hex;
  /** Where the receipt was seen at the last look. */
  readonly seen?: BlockRef;
}

/** Undefined: the transaction has nothing to do with the account. */
export async function proveInnerCall(
  deps: OperationDependencies,
  client: ChainClient,
  { account, asked, carrier, seen }: InnerCall,
): Promise<Proof | undefined> {
  const options = { confirmations: deps.confirmations, ...(seen && { seen }) };
  const receipt = await client.getTransactionReceipt(carrier);
  if (!receipt) return { ...(await checkMined(client, carrier, undefined, options)), from: account };
  const executions = executionsIn(receipt.logs, account, entryPointsOf(deps, client.chainId));
  if (receipt.status === 'reverted') return { verdict: 'pending', detail: 'reverted', from: account };
  const singletons = singletonsOf(deps, client.chainId);
  const inner: Inner = { client, account, asked, receipt, executions, singletons };
  const shown = await withDelegation(inner, await show(inner));
  if (shown.kind === 'absent') return undefined;
  const mismatch = shown.kind === 'other' ? shown.detail : undefined;
  return withShown(shown, await checkMined(client, carrier, mismatch, options), inner);
}

async function show(inner: Inner): Promise<Shown> {
  const traced = await showByTrace(inner);
  if (traced && traced.kind !== 'unproven') return traced;
  const said = showByUserOperation(inner) ?? (await showBySafeEvent(inner));
  // Where the calls of the transaction are known, a weaker proof cannot add the asked one to them.
  if (traced) return said?.kind === 'other' ? said : traced;
  return said ?? (await showByEffects(inner)) ?? { kind: 'unproven' };
}

/** A transaction that also hands an account to code does more than was asked, whoever sent it. */
async function withDelegation({ client, receipt }: Inner, shown: Shown): Promise<Shown> {
  if (shown.kind !== 'done') return shown;
  const transaction = await client.getTransaction(receipt.transactionHash);
  return transaction?.delegates ? { kind: 'other', detail: MismatchReason.Delegates } : shown;
}

function withShown(shown: Shown, mined: TransactionCheck, inner: Inner): Proof {
  const { account: from, receipt } = inner;
  const carrier = receipt.transactionHash;
  const found: Proof = { ...mined, from, ...(mined.block && { carrier, signed: signedIn(inner) }) };
  if (shown.kind === 'done') return mined.block ? { ...found, ...framesOf(shown, inner) } : found;
  const isSeen = mined.verdict === 'matched' || (mined.verdict === 'pending' && mined.block !== undefined);
  if (!isSeen || shown.kind === 'other') return found;
  if (shown.kind === 'unproven')
    return { ...found, verdict: 'pending', reason: ReasonCode.InnerCallUnproven };
  if (mined.verdict === 'matched') return { ...found, verdict: 'reverted', reason: ReasonCode.Reverted };
  // As for any revert: it counts when it is deep, and until then it carries no block.
  const { block: _block, carrier: _carrier, ...shallow } = found;
  return { ...shallow, detail: 'reverted' };
}

/** Nothing is signed for a module. */
const signedIn = ({ executions }: Inner): NonNullable<Proof['signed']> =>
  executions.flatMap(({ kind, value, success }) => (kind === 'module' || !success ? [] : [{ kind, value }]));

/** Two are too many already. */
const MOST_FRAMES = 16;

/**
 * A proof that sees the calls names them, and takes the lines of the log along that they have written. One that sees the
 * log alone has only its line, which is the same for whoever comes: so nobody else is proven by that line.
 */
function framesOf(
  { proof, times }: Extract<Shown, { kind: 'done' }>,
  { account, asked, receipt }: Inner,
): Pick<Proof, 'frames' | 'lines' | 'proof'> {
  const lines = (effectLines(account, asked, receipt.logs) ?? []).map((place) => `log-${place}`);
  if (proof === ProofName.Effects) return { proof, frames: lines };
  const frames = frameNames(account, asked, Math.min(times, MOST_FRAMES));
  // More lines than calls: some are of other calls, and none of them proves anything.
  return { proof, frames, ...(lines.length <= frames.length && { lines }) };
}
