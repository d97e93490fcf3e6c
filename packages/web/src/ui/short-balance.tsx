/** Says before the prompt that the account does not hold what the step sends. It stops nobody: more may arrive. */
import { useEffect, useState } from 'preact/hooks';
import { formatUnits } from '../format/units.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { normalise } from '../transaction/normalise.js';
import { PageWarning } from '../transaction/warnings.js';
import { balanceOf } from '../wallet/wallet-calls.js';
import { Icon } from './icon.js';
import { usePage } from './page-context.js';

export function ShortBalance({ record, step }: { readonly record: HandoffRecord; readonly step: Step }) {
  const { review } = usePage();
  const value = coinsOf(record, step);
  const balance = useBalance(record, value > 0n);
  const currency = review.chain.value?.currency;
  if (balance === undefined || balance >= value || !currency) return null;
  const amount = (wei: bigint) => `${formatUnits(wei, currency.decimals)} ${currency.symbol}`;
  return (
    <ul class="warnings" aria-label="Balance">
      <li data-warning={PageWarning.LowBalance}>
        <Icon name="warning" />
        <span>
          Your wallet has {amount(balance)} on this network; this sends {amount(value)}.
        </span>
      </li>
    </ul>
  );
}

const coinsOf = ({ chainId }: HandoffRecord, { txRequest }: Step): bigint =>
  normalise(txRequest, chainId).transaction?.value ?? 0n;

/** Through the wallet's own node; undefined where it is not asked, or does not say. */
function useBalance({ chainId, updatedAt }: HandoffRecord, isAsked: boolean): bigint | undefined {
  const { wallet } = usePage();
  const [balance, setBalance] = useState<bigint | undefined>(undefined);
  const provider = wallet.chosen.value?.provider;
  const account = wallet.account.value;
  const isReady = isAsked && wallet.chainId.value === chainId;
  useEffect(() => {
    setBalance(undefined);
    if (!isReady || !provider || !account) return;
    let isPast = false;
    void balanceOf(provider, account).then((value) => {
      if (!isPast) setBalance(value);
    });
    return () => {
      isPast = true;
    };
  }, [isReady, account, updatedAt]);
  return balance;
}
