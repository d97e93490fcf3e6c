import { ReasonCode } from '@handover/core';
import type { ClaimView } from '@handover/evm';
import { isLookedAt } from '../model/progress.js';
import type { HandoffRecord, Sight } from '../model/record.js';
import { Address } from './address.js';

const BY_REASON: Partial<Record<ReasonCode, string>> = {
  [ReasonCode.Reverted]: 'had no effect',
  [ReasonCode.Replaced]: 'was replaced by another transaction',
  [ReasonCode.HashUsed]: 'belongs to another request',
  [ReasonCode.TooOld]: 'is older than this request',
  [ReasonCode.SenderUnbound]: 'was sent by an account that was not asked',
  [ReasonCode.NotSeen]: 'is not known to the network',
  [ReasonCode.Dropped]: 'was dropped by the network',
  [ReasonCode.Mismatched]: 'is not what was asked for',
  [ReasonCode.SafePending]: 'waits for the owners of the Safe',
  [ReasonCode.InnerCallUnproven]: 'cannot be proven',
};

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

export function claimWords(sight: Sight, { verification, reasonCode, reasonDetail }: ClaimView): string {
  const said = reasonCode && BY_REASON[reasonCode];
  if (said !== undefined) return said;
  switch (verification) {
    case 'matched':
      return 'as asked';
    case 'mismatched':
      return 'is not what was asked for';
    case 'unverified':
    case 'pending':
    case 'reorged':
      if (!isLookedAt(sight)) return 'cannot be checked by this server';
      return reasonDetail === 'not_found' ? 'is not known to the network yet' : 'is being checked';
  }
}
