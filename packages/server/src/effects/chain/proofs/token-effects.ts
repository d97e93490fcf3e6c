/**
 * The called token itself says that exactly this has moved (review:2.3 `effects`). Only where its line says everything, and
 * only if the account has acted in the transaction: the same line is written when somebody else moves the same.
 */
import { effectLines } from '@handover/evm';
import { isSafeAt } from './known-safe.js';
import { type Inner, ProofName, type Shown } from './shown.js';

export async function showByEffects(inner: Inner): Promise<Shown | undefined> {
  const { account, asked, receipt } = inner;
  const lines = effectLines(account, asked, receipt.logs);
  // Twice could be two calls, or one that writes two lines.
  if (lines?.length !== 1 || !(await hasActed(inner))) return undefined;
  return { kind: 'done', proof: ProofName.Effects, times: 1 };
}

/** It sent the transaction, its operation was carried out, or it is a known Safe that says so. */
async function hasActed({ client, account, receipt, executions, singletons }: Inner): Promise<boolean> {
  const done = executions.filter(({ success }) => success);
  if (receipt.from === account || done.some(({ kind }) => kind === 'userop')) return true;
  if (done.length === 0) return false;
  const { blockNumber } = receipt;
  return isSafeAt(client, account, singletons, [blockNumber - 1, blockNumber]);
}
