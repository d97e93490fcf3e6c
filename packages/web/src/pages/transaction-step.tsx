import { useEffect, useState } from 'preact/hooks';
import { type Decoded, decodeCalldata } from '../calldata/decode-calldata.js';
import { formatUnits, grouped } from '../format/units.js';
import type { OperationRecord, Step } from '../model/record.js';
import { describe, type TokenClaim } from '../transaction/describe.js';
import { normalise, type Transaction } from '../transaction/normalise.js';
import { transactionWarnings } from '../transaction/warnings.js';
import { Address } from '../ui/address.js';
import { type Fact, Facts } from '../ui/facts.js';
import { usePage } from '../ui/page-context.js';
import { Raw } from '../ui/raw.js';
import { Sentence } from '../ui/sentence.js';
import { StepAction } from '../ui/step-action.js';
import { StepCard } from '../ui/step-card.js';
import { WarningList } from '../ui/warning-list.js';
import { readTokenClaim } from '../wallet/token-claim.js';
import { CallTable } from './call-table.js';

export function TransactionStep({ record, step }: { readonly record: OperationRecord; readonly step: Step }) {
  const { transaction, flaw } = normalise(step.txRequest, record.chainId);
  return (
    <StepCard record={record} step={step} title={step.label}>
      {transaction && <Explained transaction={transaction} />}
      <Raw title="Exact bytes" value={step.txRequest ?? null} />
      <StepAction
        record={record}
        step={step}
        verb="Sign in the wallet"
        blocked={flaw && `${flaw} This page does not send it.`}
      />
    </StepCard>
  );
}

function Explained({ transaction }: { readonly transaction: Transaction }) {
  const { desk, wallet } = usePage();
  const chain = desk.chain.value;
  const decoded = decodeCalldata(transaction.data);
  const token = useTokenClaim(decoded.kind === 'known' ? transaction.to : undefined);
  if (!chain) return null;
  const { symbol, decimals } = chain.currency;
  return (
    <>
      <Sentence parts={describe(transaction, decoded, chain, token)} />
      <WarningList warnings={transactionWarnings(transaction, decoded, wallet.account.value)} />
      <Facts
        facts={[
          targetFact(transaction, decoded),
          ['Coins sent', `${formatUnits(transaction.value, decimals)} ${symbol}`],
          token && [
            'Token',
            <>
              <bdi>{token.symbol}</bdi>{' '}
              <span class="quiet">with {token.decimals} decimals, as that contract says of itself</span>
            </>,
          ],
        ]}
      />
      {transaction.to !== undefined && <CallTable decoded={decoded} />}
    </>
  );
}

function targetFact({ to, data }: Transaction, { kind }: Decoded): Fact | undefined {
  if (to === undefined) return ['Creation code', `${grouped(String((data.length - 2) / 2))} bytes`];
  return [kind === 'none' ? 'To' : 'Contract called', <Address key="to" value={to} />];
}

function useTokenClaim(contract: string | undefined): TokenClaim | undefined {
  const { wallet, desk } = usePage();
  const provider = wallet.chosen.value?.provider;
  const ready = provider && wallet.chainId.value === desk.chain.value?.chainId;
  const [claim, setClaim] = useState<TokenClaim | undefined>(undefined);
  useEffect(() => {
    if (ready && contract !== undefined) void readTokenClaim(provider, contract).then(setClaim);
  }, [ready, contract]);
  return claim;
}
