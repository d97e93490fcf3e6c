/** For a step that the wallet was asked to sign, when the page does not know how that ended. */
import { entryOf } from '../flow/outbox-entries.js';
import { timeOf } from '../format/time.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { HashField } from './hash-field.js';
import { usePage } from './page-context.js';

export function Unsure({ record, step }: { readonly record: HandoffRecord; readonly step: Step }) {
  const { signing, review, outbox } = usePage();
  const asked = entryOf(outbox.entries.value, record, step);
  return (
    <div class="unsure">
      <p>
        {asked === undefined
          ? 'The wallet was asked for this step, perhaps in another browser, and there is no answer yet.'
          : `This browser asked your wallet at ${timeOf(asked.at)} and saw no answer.`}{' '}
        If a prompt is still open, answer it there. Otherwise tell what happened:
      </p>
      <button
        type="button"
        disabled={review.busy.value !== undefined}
        onClick={() => void signing.didNotSign(step)}
      >
        I did not sign
      </button>
      <HashField record={record} step={step} />
    </div>
  );
}
