import { ReasonCode } from '@handover/core';
import type { ClaimView } from '@handover/evm';
import type { HandoffRecord } from '../model/record.js';

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
          <code class="hash">{claim.value}</code> <span class="quiet">{claimWords(record, claim)}</span>
        </li>
      ))}
    </ul>
  );
}

export function claimWords(
  { watched }: Pick<HandoffRecord, 'watched'>,
  { verification, reasonCode, reasonDetail }: ClaimView,
): string {
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
      if (reasonDetail === 'not_found') return 'is not known to the network yet';
      return watched ? 'is being checked' : 'cannot be checked by this server';
  }
}
