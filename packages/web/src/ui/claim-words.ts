/** What is known of a hash that was told, in a few words. */
import { ReasonCode } from '@handover/core';
import type { ClaimView } from '@handover/evm';
import { isLookedAt } from '../model/progress.js';
import type { Sight } from '../model/record.js';

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
