/** The strongest proof: the node shows every call inside the transaction (review:2.3 `trace`). */
import { findFrames } from '@handover/evm';
import type { Inner, Shown } from './shown.js';
import { ProofName } from './shown.js';

/** Undefined: the node does not trace, so weaker proofs are asked. */
export async function showByTrace(inner: Inner): Promise<Shown | undefined> {
  const { client, account, asked, receipt, executions } = inner;
  const root = await client.trace(receipt.transactionHash);
  if (!root) return undefined;
  const { done, failed, other } = findFrames(root, account, asked);
  if (done > 0) return { kind: 'done', proof: ProofName.Trace, times: done };
  // The account itself, or its EntryPoint, says that it came to nothing, and so do the calls.
  if (executions.length > 0 && executions.every(({ success }) => !success)) return { kind: 'failed' };
  if (failed > 0) return { kind: 'unproven' };
  if (other) return { kind: 'other', detail: 'data_differs' };
  return executions.length > 0 ? { kind: 'unproven' } : { kind: 'absent' };
}
