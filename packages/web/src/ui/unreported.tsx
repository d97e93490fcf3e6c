/** What a wallet did and the server does not know yet: above all else, on every page of this server. */
import { useContext, useEffect, useState } from 'preact/hooks';
import type { OutboxEntry } from '../flow/outbox-store.js';
import { CopyButton } from './copy-button.js';
import { Icon } from './icon.js';
import { OutboxContext } from './page-context.js';

export function Unreported() {
  const outbox = useContext(OutboxContext);
  const waiting = outbox?.entries.value.filter(({ state }) => state === 'answered') ?? [];
  // The area is always there: screen readers do not read out text in one that was just added.
  return (
    <div role="alert">
      {outbox && waiting.length > 0 && (
        <section class="unreported" aria-label="Not reported yet">
          {waiting.map((entry) => (
            <Entry key={entry.clientAsk} entry={entry} />
          ))}
          <div class="action">
            <button type="button" onClick={() => void outbox.reportNow()}>
              Report now
            </button>
            <NextTry at={outbox.nextAt.value} />
          </div>
        </section>
      )}
    </div>
  );
}

function Entry({ entry: { claim, refusal, id } }: { readonly entry: OutboxEntry }) {
  const value = claim?.txHash ?? claim?.sessionId;
  return (
    <div class="unreported-entry">
      <p>
        <Icon name="warning" />{' '}
        <strong>
          {value === undefined
            ? 'Your wallet has answered, and this server does not know it yet.'
            : 'Your wallet has sent this, and this server does not know it yet:'}
        </strong>
      </p>
      {value !== undefined && (
        <p class="row">
          <code class="hash">{value}</code>
          <CopyButton text={value} />
        </p>
      )}
      <p>
        {refusal
          ? `The server did not take it (${refusal.status}): ${refusal.text} Keep what is shown here; it belongs to the request ${id}.`
          : 'You may leave this page: every page of this server goes on telling it.'}
      </p>
    </div>
  );
}

const TICK_MS = 1_000;

/** Not read out every second. */
function NextTry({ at }: { readonly at: number | undefined }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS);
    return () => window.clearInterval(timer);
  }, []);
  if (at === undefined) return null;
  const seconds = Math.max(0, Math.ceil((at - now) / TICK_MS));
  return <span aria-live="off">Trying again {seconds === 0 ? 'now' : `in ${seconds} s`}.</span>;
}
