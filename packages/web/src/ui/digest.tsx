import type { HandoffRecord } from '../model/record.js';
import { Icon } from './icon.js';
import { usePage } from './page-context.js';

export function Digest({ record }: { readonly record: HandoffRecord }) {
  const { value: computed } = usePage().review.digest;
  const differs = computed !== undefined && computed !== record.digest;
  return (
    <section class="card" aria-labelledby="digest-title">
      <h2 id="digest-title">Compare with your agent</h2>
      <p class="quiet">
        Your agent was shown this digest of what you sign. The same digest: the same content.
      </p>
      <p>
        <code class="hash">{record.digest}</code>
      </p>
      {computed === undefined && (
        <p class="quiet">This browser could not compute it again (no secure connection).</p>
      )}
      {computed !== undefined && !differs && (
        <p class="quiet good">
          <Icon name="done" /> Computed again in this browser from what is shown here: it matches.
        </p>
      )}
      {differs && (
        <p class="notice error" role="alert">
          <Icon name="warning" />
          What is shown here has another digest ({computed}). Do not sign; tell the operator of this server.
        </p>
      )}
    </section>
  );
}
