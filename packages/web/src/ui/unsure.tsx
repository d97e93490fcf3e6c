/** For a step of which the page does not know how it ended: what is known, and the ways to tell what happened. */
import { entryOf } from '../flow/outbox-entries.js';
import { timeOf } from '../format/time.js';
import { canAsk, mayNotBeSigned } from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { HashField, OTHER_HASH } from './hash-field.js';
import { usePage } from './page-context.js';

interface UnsureProps {
  readonly record: HandoffRecord;
  readonly step: Step;
}

/** The wallet was asked, and there is no answer, or none that says what happened. */
export function Unsure({ record, step }: UnsureProps) {
  return (
    <div class="unsure">
      <p>{useAsked(record, step)}</p>
      <DidNotSign step={step} />
      <HashField record={record} step={step} says="It was signed" />
    </div>
  );
}

/** A hash was told, and the network does not know it: it may be mistyped, or never have been sent. */
export function Unseen({ record, step }: UnsureProps) {
  return (
    <div class="unsure">
      {mayNotBeSigned(step) && <DidNotSign step={step} />}
      <HashField record={record} step={step} says={OTHER_HASH} />
    </div>
  );
}

/** It is done, and another prompt has only a hash that nobody has seen. */
export function Mistyped({ step, askId }: { readonly step: Step; readonly askId: string }) {
  return (
    <div class="unsure">
      <p>
        The network does not know the other hash that was given. If it was a typo, and you did not sign that
        one, say so here:
      </p>
      <DidNotSign step={step} askId={askId} />
    </div>
  );
}

function DidNotSign({ step, askId }: { readonly step: Step; readonly askId?: string }) {
  const { signing, review } = usePage();
  return (
    <button
      type="button"
      disabled={review.busy.value !== undefined}
      onClick={() => void signing.didNotSign(step, askId)}
    >
      {askId === undefined ? 'I did not sign' : 'I did not sign that one'}
    </button>
  );
}

function useAsked(record: HandoffRecord, step: Step): string {
  const asked = entryOf(usePage().outbox.entries.value, record, step);
  if (step.error !== undefined)
    return 'If your wallet shows no such transaction, say so here. If it shows one, tell its hash:';
  const known = asked
    ? `This browser asked your wallet at ${timeOf(asked.at)} and saw no answer.`
    : (step.claims ?? []).length > 0
      ? 'It is not known whether this was sent: your wallet was asked, and what was told so far does not show it.'
      : 'The wallet was asked for this step, perhaps in another browser, and there is no answer yet.';
  const how = canAsk(record) ? 'answer' : 'refuse';
  return `${known} If a prompt is still open, ${how} it there. Otherwise tell what happened:`;
}
