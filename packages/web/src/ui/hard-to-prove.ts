/**
 * Whether what the connected account does can be proven for tokens alone: it is a contract, and the node of this server does
 * not show the calls inside a transaction (docs/spec/review.md V7).
 */
import { useEffect, useState } from 'preact/hooks';
import { isLookedAt } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import { isContract } from '../wallet/wallet-calls.js';
import { usePage } from './page-context.js';

export function useHardToProve(record: HandoffRecord): boolean {
  const { review, wallet } = usePage();
  const { chainId, family } = record;
  const [isSmart, setSmart] = useState(false);
  const provider = wallet.chosen.value?.provider;
  const account = wallet.account.value;
  const proofs = review.chain.value?.proofs;
  const isAsked =
    family === 'operation' &&
    isLookedAt(record) &&
    proofs !== undefined &&
    !proofs.includes('trace') &&
    wallet.chainId.value === chainId;
  useEffect(() => {
    setSmart(false);
    if (isAsked && provider && account) void isContract(provider, account).then(setSmart);
  }, [isAsked, account]);
  return isAsked && isSmart;
}
