/** What a wallet did and the server does not know yet: above all else, on every page of this server. */
import type { OutboxEntry } from '../flow/outbox-store.js';
import { usePage } from './page-context.js';

export function Unreported() {
  const { outbox } = usePage();
  const waiting = outbox.entries.value.filter(({ state }) => state === 'answered');
  if (waiting.length === 0) return null;
  return (
    <section class="unreported" role="alert" aria-label="Not reported yet">
      {waiting.map((entry) => (
        <Entry key={entry.askId} entry={entry} />
      ))}
      <button type="button" onClick={() => void outbox.reportNow()}>
        Report now
      </button>
    </section>
  );
}

function Entry({ entry: { claim, refusal, id } }: { readonly entry: OutboxEntry }) {
  const value = claim?.txHash ?? claim?.sessionId;
  return (
    <div>
      <p>
        {value === undefined
          ? 'Your wallet has answered, and this server does not know it yet.'
          : 'Your wallet has sent this, and this server does not know it yet:'}
      </p>
      {value !== undefined && <code class="wrap">{value}</code>}
      <p>
        {refusal
          ? `The server did not take it (${refusal.status}): ${refusal.text} Keep this value; it belongs to ${id}.`
          : 'It is tried again by itself; you may leave this page, and any page of this server will go on.'}
      </p>
    </div>
  );
}
