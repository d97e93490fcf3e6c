import { useRef } from 'preact/hooks';
import { canDecline } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import { usePage } from './page-context.js';

export function Decline({ record }: { readonly record: HandoffRecord }) {
  const { review, signing } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  if (!canDecline(record)) return null;
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
        Decline this request
      </button>
      <dialog ref={dialog} aria-labelledby="decline-title">
        <h2 id="decline-title">Decline this request?</h2>
        <p>
          {record.effect === 'none'
            ? 'Your agent learns that you said no, and this link stops working.'
            : 'Your wallet may still show a prompt: refuse it there. If you sign it, it will be paid and recorded.'}
        </p>
        <div class="row">
          <button type="button" onClick={() => dialog.current?.close()}>
            Go back
          </button>
          <button type="button" class="danger" onClick={decline}>
            Decline
          </button>
        </div>
      </dialog>
    </div>
  );
}
