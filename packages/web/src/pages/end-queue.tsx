import type { SessionFamily } from '../flow/session-family.js';
import { isOver, wasSent } from '../model/progress.js';
import type { SessionRecord } from '../model/record.js';
import { usePage } from '../ui/page-context.js';
import { errorText } from '../wallet/wallet-error.js';

export const canEndQueue = (record: SessionRecord): boolean =>
  !isOver(record) &&
  record.result === undefined &&
  record.steps.some(wasSent) &&
  record.steps.some(({ status }) => status === 'failed');

/** Lets the person end the queue when some sessions have started and another has failed. */
export function EndQueue({ record }: { readonly record: SessionRecord }) {
  const { review, family } = usePage();
  if (!canEndQueue(record)) return null;
  const end = async () => {
    await (family as SessionFamily).end().catch((thrown: unknown) => {
      review.notice.value = { tone: 'error', text: errorText(thrown) };
    });
    await review.refresh();
  };
  return (
    <p class="action">
      <button type="button" disabled={review.busy.value !== undefined} onClick={() => void end()}>
        Finish with the sessions that have started
      </button>
    </p>
  );
}
