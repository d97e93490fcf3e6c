import { useEffect, useRef, useState } from 'preact/hooks';
import { canDecline } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import { usePage } from './page-context.js';

export function Decline({ record }: { readonly record: HandoffRecord }) {
  const { desk, signing } = usePage();
  const [asking, setAsking] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (asking) dialog.current?.showModal();
    else dialog.current?.close();
  }, [asking]);
  if (!canDecline(record)) return null;
  const decline = () => {
    setAsking(false);
    void signing.decline();
  };
  return (
    <div class="decline">
      <button
        type="button"
        class="plain"
        disabled={desk.busy.value !== undefined}
        onClick={() => setAsking(true)}
      >
        Decline this request
      </button>
      <dialog ref={dialog} aria-labelledby="decline-title" onClose={() => setAsking(false)}>
        <h2 id="decline-title">Decline this request?</h2>
        <p>Nothing was sent. Your agent learns that you said no, and this link stops working.</p>
        <div class="row">
          <button type="button" onClick={() => setAsking(false)}>
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
