import { useEffect, useState } from 'preact/hooks';
import { type Estimate, estimateDeployment, totalGas } from '../bundle/estimate.js';
import type { BundleFamily } from '../flow/bundle-family.js';
import { formatUnits, grouped } from '../format/units.js';
import type { BundleRecord } from '../model/record.js';
import { PageWarning } from '../transaction/warnings.js';
import { Facts } from '../ui/facts.js';
import { usePage } from '../ui/page-context.js';
import { WarningList } from '../ui/warning-list.js';

/** Estimates the cost once a wallet is connected, before the first prompt. */
export function useEstimate(record: BundleRecord): Estimate | undefined {
  const { review, wallet, family } = usePage();
  const [estimate, setEstimate] = useState<Estimate | undefined>(undefined);
  const provider = wallet.chosen.value?.provider;
  const account = wallet.account.value;
  const chain = review.chain.value;
  const ready =
    provider !== undefined &&
    account !== undefined &&
    chain !== undefined &&
    wallet.chainId.value === chain.chainId;
  useEffect(() => {
    if (!ready || !provider || !account || !chain) return;
    const { addressesOf, findContracts } = family as BundleFamily;
    const work = async () => {
      await findContracts(provider);
      setEstimate(await estimateDeployment(provider, account, chain, record.steps, addressesOf));
    };
    work().catch(() => {
      review.notice.value = {
        tone: 'error',
        text: 'The node of your wallet gave no gas estimate. Look closely at the fee that the wallet shows.',
      };
    });
  }, [ready, account]);
  return estimate;
}

export function Cost({ estimate }: { readonly estimate: Estimate | undefined }) {
  const { review } = usePage();
  const currency = review.chain.value?.currency;
  if (!estimate || !currency || estimate.gas.size === 0) return null;
  const gas = totalGas(estimate);
  const cost = gas * estimate.price;
  const amount = (wei: bigint) => `${formatUnits(wei, currency.decimals)} ${currency.symbol}`;
  return (
    <section class="inset" aria-labelledby="cost-title">
      <h4 id="cost-title">What it will cost, about</h4>
      <Facts
        facts={[
          ['Gas for all', grouped(gas.toString())],
          ['At today’s price', amount(cost)],
          ['The account holds', amount(estimate.balance)],
        ]}
      />
      <WarningList warnings={estimate.balance < cost ? [PageWarning.LowBalance] : []} />
    </section>
  );
}
