import { type CalldataReading, readCalldata } from '@handover/evm';
import { useEffect, useState } from 'preact/hooks';
import { formatUnits, grouped } from '../format/units.js';
import { timesDone } from '../model/progress.js';
import type { OperationRecord, Step } from '../model/record.js';
import { describe, type TokenClaim } from '../transaction/describe.js';
import { normalise, type Transaction } from '../transaction/normalise.js';
import { feeWarnings } from '../transaction/warnings.js';
import { Address } from '../ui/address.js';
import { type Fact, Facts } from '../ui/facts.js';
import { coinsOften } from '../ui/often-words.js';
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
  const blocked =
    flaw === undefined
      ? undefined
      : { waitsFor: 'a request that can be read', text: `${flaw} This page does not send it.` };
  return (
    <StepCard
      record={record}
      step={step}
      title="Transaction"
      name={ownLabel(record, step)}
      waitsFor={blocked?.waitsFor}
      action={<StepAction record={record} step={step} verb="Sign in the wallet" blocked={blocked} />}
    >
      {transaction && (
        <Explained transaction={transaction} claim={claimOf(record, step)} times={timesDone(step)} />
      )}
      <Raw title="Exact bytes" value={step.txRequest ?? null} />
    </StepCard>
  );
}

/** The server numbers the steps that the agent gave no name. */
const ownLabel = ({ steps }: OperationRecord, { id, label }: Step): string =>
  label === `Step ${steps.findIndex((one) => one.id === id) + 1}` ? '' : label;

/** The agent may say which function the bytes call; it is shown as a claim, if the bytes fit it. */
function claimOf({ summary }: OperationRecord, { id }: Step): string | undefined {
  const signatures = summary.signatures;
  const claim: unknown =
    signatures !== null && typeof signatures === 'object' && Object.hasOwn(signatures, id)
      ? Reflect.get(signatures, id)
      : undefined;
  return typeof claim === 'string' ? claim : undefined;
}

function Explained({
  transaction,
  claim,
  times,
}: {
  readonly transaction: Transaction;
  readonly claim: string | undefined;
  /** How often it was carried out. */
  readonly times: number;
}) {
  const { review, wallet } = usePage();
  const chain = review.chain.value;
  const from = transaction.from ?? wallet.account.value;
  const reading = readCalldata({ ...transaction, ...(from && { from }) }, claim);
  const token = useTokenClaim(reading.call?.source === 'built-in' ? transaction.to : undefined);
  if (!chain) return null;
  const { symbol, decimals } = chain.currency;
  return (
    <>
      <Sentence parts={describe(transaction, reading, chain, token)} />
      <WarningList warnings={[...reading.warnings, ...feeWarnings(transaction)]} />
      <Facts
        facts={[
          targetFact(transaction, reading),
          [
            'Coins sent',
            (times > 1 && coinsOften(times, transaction.value, chain.currency)) ||
              `${formatUnits(transaction.value, decimals)} ${symbol}`,
          ],
          token && [
            'Token',
            <>
              <bdi>{token.symbol}</bdi>{' '}
              <span class="quiet">with {token.decimals} decimals, as that contract says of itself</span>
            </>,
          ],
        ]}
      />
      <CallTable reading={reading} />
    </>
  );
}

function targetFact({ to, data }: Transaction, { kind }: CalldataReading): Fact | undefined {
  if (to === undefined) return ['Creation code', `${grouped(String((data.length - 2) / 2))} bytes`];
  return [kind === 'transfer' ? 'To' : 'Contract called', <Address key="to" value={to} />];
}

function useTokenClaim(contract: string | undefined): TokenClaim | undefined {
  const { wallet, review } = usePage();
  const provider = wallet.chosen.value?.provider;
  const ready = provider && wallet.chainId.value === review.chain.value?.chainId;
  const [claim, setClaim] = useState<TokenClaim | undefined>(undefined);
  useEffect(() => {
    if (ready && contract !== undefined) void readTokenClaim(provider, contract).then(setClaim);
  }, [ready, contract]);
  return claim;
}
