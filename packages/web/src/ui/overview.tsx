import { expectedAccount } from '../flow/expected-account.js';
import { quoted } from '../format/quoted.js';
import { formatTime, timeLeft } from '../format/time.js';
import { chainName } from '../model/chain-info.js';
import { accountsOf, isOver } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import { Address } from './address.js';
import { type Fact, Facts } from './facts.js';
import { usePage } from './page-context.js';

export function Overview({
  record,
  more = [],
}: {
  readonly record: HandoffRecord;
  readonly more?: readonly Fact[];
}) {
  const { review, wallet } = usePage();
  const shown = accountsOf(record);
  const account =
    (shown.length === 1 ? shown[0] : undefined) ??
    expectedAccount(record, record.steps[0]) ??
    wallet.account.value;
  return (
    <Facts
      facts={[
        [
          'Network',
          <>
            {chainName(review.chain.value, record.chainId)}
            <span class="quiet">
              , called “<bdi>{quoted(record.network, 40)}</bdi>” by the agent
            </span>
          </>,
        ],
        [
          'From account',
          shown.length > 1 ? (
            'More than one: see each hash below'
          ) : account === undefined ? (
            'The account that you choose in your wallet'
          ) : (
            <Address value={account} />
          ),
        ],
        ...more,
        isOver(record)
          ? ['Last change', formatTime(record.updatedAt)]
          : ['Valid until', `${formatTime(record.expiresAt)} (${timeLeft(record.expiresAt, Date.now())})`],
      ]}
    />
  );
}
