/** The offers that wait for an agent's answer, in a form that fits a few lines: no context, no long text. */
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { HandoffService } from './types.js';

export interface PendingOffer {
  readonly handoffId: string;
  readonly from: string;
  readonly sessionKey?: string;
  readonly requestType?: string;
  readonly scope: string;
  readonly reason: string;
  readonly offeredAt: number;
  readonly expiresAt: number;
}

const MAX_OFFERS = fixedLimits.inboxOffers.value;
const MAX_TEXT = 200;

export async function pendingOffers(
  handoffs: HandoffService,
  principal: Principal,
): Promise<readonly PendingOffer[]> {
  const outcome = await handoffs.listHandoffs(principal, {
    box: 'inbox',
    status: 'pending',
    limit: MAX_OFFERS,
  });
  if ('rejection' in outcome) return [];
  const offered = outcome.value.handoffs.filter(({ phase }) => phase === 'offered');
  return offered.map(({ handoffId, from, sessionKey, requestType, scope, reason, offeredAt, expiresAt }) => ({
    handoffId,
    from,
    ...(sessionKey !== undefined && { sessionKey }),
    ...(requestType !== undefined && { requestType }),
    scope: scope.slice(0, MAX_TEXT),
    reason: reason.slice(0, MAX_TEXT),
    offeredAt,
    expiresAt,
  }));
}
