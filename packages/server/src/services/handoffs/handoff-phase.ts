/** Where a handoff stands, in the words of docs/decisions/2026-11-15-status-words.md. */
import { Disposition, isTerminal, type SessionState, SessionStatus } from '@handover/core';
import type { FoundHandoff } from './find-handoff.js';
import type { HandoffPhase, HandoffView } from './types.js';

export function phaseOf({ session, offer }: Pick<FoundHandoff, 'session' | 'offer'>): HandoffPhase {
  if (offer.disposition === Disposition.Declined) return 'declined';
  switch (session.status) {
    case SessionStatus.Expired:
      return 'expired';
    case SessionStatus.Cancelled:
      return 'cancelled';
    case SessionStatus.Resolved:
      return 'committed';
    case SessionStatus.Open:
    case SessionStatus.Suspended:
      return offer.disposition;
  }
}

export function statusOfPhase(phase: HandoffPhase): HandoffView['status'] {
  switch (phase) {
    case 'offered':
    case 'accepted':
      return 'pending';
    case 'committed':
      return 'completed';
    case 'declined':
    case 'expired':
    case 'cancelled':
      return 'failed';
  }
}

/** Something is still to be said about it. */
export const isLive = (phase: HandoffPhase): boolean => phase === 'offered' || phase === 'accepted';

/** Nothing more can happen to it. */
export function isOver(session: SessionState, phase: HandoffPhase): boolean {
  return !isLive(phase) && isTerminal(session.status);
}

/** True when the next move is this agent's, so that it has nobody else to wait for. */
export function isTurnOf(handoff: Pick<FoundHandoff, 'session' | 'offer'>, agent: string): boolean {
  const phase = phaseOf(handoff);
  if (phase === 'offered') return agent === handoff.offer.target;
  return phase === 'accepted' && agent === handoff.session.initiator;
}
