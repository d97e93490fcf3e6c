import { useRef } from 'preact/hooks';
import { isUntold } from '../flow/outbox-entries.js';
import { canDecline, wasSent } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import { usePage } from './page-context.js';

interface Words {
  readonly ask: string;
  readonly text: string;
  readonly button: string;
}

const DECLINE: Words = {
  ask: 'Decline this request',
  text: 'Your agent learns that you said no, and nothing can be signed here any more.',
  button: 'Decline',
};
/** A wallet may still act on it. */
const WITHDRAW: Words = {
  ask: 'Withdraw this request',
  text: 'Nothing more is asked for. Your wallet may still show a prompt: refuse it there. If you sign it, it will be paid and recorded.',
  button: 'Withdraw',
};
const STOP: Words = {
  ask: 'Stop here',
  text: 'What was sent stays sent. Nothing more is asked for, and your agent learns which part was done.',
  button: 'Stop',
};

function wordsFor(record: HandoffRecord): Words {
  if (record.steps.some(wasSent)) return STOP;
  return record.effect === 'none' ? DECLINE : WITHDRAW;
}

export function Decline({ record }: { readonly record: HandoffRecord }) {
  const { review, signing, outbox } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  // What this browser has to tell comes first: what it shows of the record may be old.
  if (!canDecline(record) || isUntold(outbox.entries.value, record)) return null;
  const { ask, text, button } = wordsFor(record);
  const decline = () => {
    dialog.current?.close();
    void signing.decline();
  };
  return (
    <div class="decline">
      <button
        type="button"
        class="plain"
        disabled={review.busy.value !== undefined}
        onClick={() => dialog.current?.showModal()}
      >
        {ask}
      </button>
      <dialog ref={dialog} aria-labelledby="decline-title">
        <h2 id="decline-title">{ask}?</h2>
        <p>{text}</p>
        <div class="row">
          <button type="button" onClick={() => dialog.current?.close()}>
            Go back
          </button>
          <button type="button" class="danger" onClick={decline}>
            {button}
          </button>
        </div>
      </dialog>
    </div>
  );
}
