import type { HandoffRecord } from '../model/record.js';
import { Icon } from './icon.js';
import { usePage } from './page-context.js';

export function Digest({ record }: { readonly record: HandoffRecord }) {
  const { digest, isChanged } = usePage().review;
  return (
    <section class="card" aria-labelledby="digest-title">
      <h2 id="digest-title">Compare with your agent</h2>
      <p class="quiet">
        Your agent was shown this digest of what you sign. The same digest: the same content.
      </p>
      <p>
        <code class="hash">{record.digest}</code>
      </p>
      {isChanged.value ? (
        <p class="notice error" role="alert">
          <Icon name="warning" />
          What is shown here is not what this digest was made of (computed: {digest.value}). It cannot be
          signed; tell the operator of this server.
        </p>
      ) : (
        <p class="quiet good">
          <Icon name="done" /> Computed again in this browser from what is shown here: it matches. The agent's
          title and names are not part of it.
        </p>
      )}
    </section>
  );
}
