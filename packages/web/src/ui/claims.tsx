import type { ClaimView } from '@handover/evm';
import type { HandoffRecord } from '../model/record.js';
import { Address } from './address.js';
import { claimWords } from './claim-words.js';

/** Every hash that came up for this step: what was replaced, or paid a second time, is not hidden behind the last one. */
export function Claims({
  record,
  claims,
}: {
  readonly record: HandoffRecord;
  readonly claims: readonly ClaimView[];
}) {
  return (
    <ul class="plain-list">
      {claims.map((claim) => (
        <li key={claim.value}>
          <code class="hash">{claim.value}</code>{' '}
          <span class="quiet">
            {claimWords(record, claim)}
            {claim.blockNumber !== undefined && `, block ${claim.blockNumber}`}
          </span>
          <SentBy claim={claim} />
        </li>
      ))}
    </ul>
  );
}

/** Whose account it was: two payments may come from two. Nothing where the chain has not shown it. */
export function SentBy({ claim }: { readonly claim: ClaimView | undefined }) {
  if (claim?.account === undefined) return null;
  return (
    <div class="sent-by">
      <span class="quiet">from</span> <Address value={claim.account} />
    </div>
  );
}
