/**
 * A Safe whose code is known says which hash it carried out, and the hash says which call that was (review:2.3
 * `safe_event`, review:V1, review:V2, review:V4).
 */
import {
  type AskedCall,
  isPlainCall,
  MULTI_SENDS,
  plainSafeCall,
  readExecTransaction,
  type SafeCall,
  safeTxHash,
} from '@handover/evm';
import { MismatchReason } from '../../../chain/check-transaction.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { Execution } from './executions.js';
import { isSafeAt } from './known-safe.js';
import { readSafeNonce } from './safe-state.js';
import { type Inner, ProofName, type Shown } from './shown.js';

/** Undefined: it shows nothing, so weaker proofs are asked. */
export async function showBySafeEvent(inner: Inner): Promise<Shown | undefined> {
  const { client, account, receipt, executions, singletons, asked } = inner;
  const own = executions.filter(({ kind }) => kind === 'safe');
  if (own.length === 0) return undefined;
  const { blockNumber } = receipt;
  // Before it and after it: what the account runs could have been changed for this one block.
  if (!(await isSafeAt(client, account, singletons, [blockNumber - 1, blockNumber]))) return undefined;
  const carried = await carriedCall(inner, own);
  if (!carried) return undefined;
  const { call, success } = carried;
  if (isPlainCall(call, asked))
    return success ? { kind: 'done', proof: ProofName.SafeEvent, times: 1 } : { kind: 'failed' };
  // Several calls in one, or one of a module beside it: which, is for other proofs to show.
  const isSeveral =
    (call.operation === 1 && MULTI_SENDS.includes(call.to)) ||
    executions.some(({ kind }) => kind === 'module');
  return success && !isSeveral ? { kind: 'other', detail: differenceOf(call, asked) } : undefined;
}

function differenceOf(call: SafeCall, asked: AskedCall): string {
  if (call.operation !== 0 || call.to !== asked.to) return MismatchReason.To;
  return call.value === asked.value ? MismatchReason.Data : MismatchReason.Value;
}

interface Carried {
  readonly call: SafeCall;
  readonly success: boolean;
}

/** The call whose hash the Safe has carried out: that in the arguments of the transaction, or the asked one itself. */
async function carriedCall(
  { client, account, receipt, asked }: Inner,
  executions: readonly Execution[],
): Promise<Carried | undefined> {
  const nonce = await readSafeNonce(client, account);
  if (nonce === undefined) return undefined;
  for (const call of [plainSafeCall(asked), await argumentsOf(client, receipt, account)]) {
    const found =
      call && executions.find(({ value }) => isHashOf(client.chainId, account, call, value, nonce));
    if (found) return { call, success: found.success };
  }
  return undefined;
}

async function argumentsOf(
  client: Inner['client'],
  { transactionHash, to }: Inner['receipt'],
  account: string,
): Promise<SafeCall | undefined> {
  if (to !== account) return undefined;
  const transaction = await client.getTransaction(transactionHash);
  return transaction ? readExecTransaction(transaction.data) : undefined;
}

/** With one of the numbers that the Safe has used last. */
function isHashOf(chainId: number, safe: string, call: SafeCall, hash: string, nonce: number): boolean {
  const oldest = Math.max(0, nonce - fixedLimits.safeNonces.value);
  for (let used = nonce - 1; used >= oldest; used--)
    if (safeTxHash(chainId, safe, call, used) === hash) return true;
  return false;
}
