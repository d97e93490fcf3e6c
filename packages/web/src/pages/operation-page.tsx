import { isUntold } from '../flow/outbox-entries.js';
import { hasHidden } from '../format/plain-text.js';
import { canSign } from '../model/progress.js';
import type { OperationRecord } from '../model/record.js';
import { PageWarning } from '../transaction/warnings.js';
import { AgentWords } from '../ui/agent-words.js';
import { Decline } from '../ui/decline.js';
import { Digest } from '../ui/digest.js';
import { Earlier } from '../ui/earlier.js';
import { Ending } from '../ui/ending.js';
import { Frame } from '../ui/frame.js';
import { Heading } from '../ui/heading.js';
import { NoticeArea } from '../ui/notice.js';
import { Overview } from '../ui/overview.js';
import { usePage } from '../ui/page-context.js';
import { Raw } from '../ui/raw.js';
import { Receipt } from '../ui/receipt.js';
import { WarningList } from '../ui/warning-list.js';
import { TransactionStep } from './transaction-step.js';

const TITLE = 'A request for your signature';

export function OperationPage({ record }: { readonly record: OperationRecord }) {
  const { summary, type, steps } = record;
  const { outbox, review } = usePage();
  const isUntouched =
    record.effect === 'none' &&
    canSign(record) &&
    !review.isChanged.value &&
    !isUntold(outbox.entries.value, record);
  return (
    <Frame title={TITLE}>
      <Heading title={TITLE} name={summary.title || type}>
        An agent has prepared this.
        {isUntouched && ' Nothing happens until you confirm it in your wallet.'}
      </Heading>
      <Earlier record={record} />
      <Ending record={record} />
      <section class="card" aria-label="Overview">
        <Overview
          record={record}
          more={[['To sign', `${steps.length} transaction${steps.length === 1 ? '' : 's'}`]]}
        />
        <WarningList
          warnings={hasHidden([summary, type, record.network, steps]) ? [PageWarning.HiddenCharacters] : []}
        />
      </section>
      <h2 class="section">
        {isUntouched ? 'What will happen' : canSign(record) ? 'What is asked' : 'What was asked'}
      </h2>
      {steps.length === 0 && <p>There is nothing to sign in this request.</p>}
      <ol class="steps">
        {steps.map((step) => (
          <TransactionStep key={step.id} record={record} step={step} />
        ))}
      </ol>
      <AgentWords summary={summary} />
      <Digest record={record} />
      <Raw
        title="The whole request"
        value={{
          ...record,
          steps: steps.map(({ id, kind, label, txRequest }) => ({ id, kind, label, txRequest })),
        }}
      />
      <Receipt record={record} />
      <Decline record={record} />
      <NoticeArea />
    </Frame>
  );
}
