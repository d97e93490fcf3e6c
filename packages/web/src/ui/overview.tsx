import { expectedAccount } from '../flow/expected-account.js';
import { quoted } from '../format/quoted.js';
import { formatTime, timeLeft } from '../format/time.js';
import { isOver } from '../model/progress.js';
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
  const account = expectedAccount(record, record.steps[0]) ?? wallet.account.value;
  const network = review.chain.value?.name ?? '';
  return (
    <Facts
      facts={[
        [
          'Network',
          <>
            {network}{' '}
            <span class="quiet">
              chain {record.chainId}, called “<bdi>{quoted(record.network, 40)}</bdi>” by the agent
            </span>
          </>,
        ],
        [
          'From account',
          account === undefined ? 'The account that you choose in your wallet' : <Address value={account} />,
        ],
        ...more,
        isOver(record)
          ? ['Last change', formatTime(record.updatedAt)]
          : ['Valid until', `${formatTime(record.expiresAt)} (${timeLeft(record.expiresAt, Date.now())})`],
      ]}
    />
  );
}
