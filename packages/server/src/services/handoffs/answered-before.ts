/**
 * Answers, Commitments and withdrawals are given once. Whoever gives the same one again, in whatever words, gets the handoff as it
 * stands, and the first words stay. The opposite one is refused.
 */
import { type CommitmentPayload, corePayloads, Disposition, SessionStatus } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { HandoffTool } from '../quotas.js';
import type { HandoffDependencies } from './dependencies.js';
import type { FoundHandoff } from './find-handoff.js';
import { phaseOf } from './handoff-phase.js';

export interface AskedEnd {
  readonly action?: string;
  readonly outcomePositive?: boolean;
}

/** True when the caller itself has already brought the handoff to the end that it asks for. */
export async function wasAnswered(
  deps: HandoffDependencies,
  principal: Principal,
  tool: HandoffTool,
  asked: AskedEnd,
  now: FoundHandoff,
): Promise<boolean> {
  const isTarget = now.offer.target === principal.agent;
  const phase = phaseOf(now);
  switch (tool) {
    case 'acceptHandoff':
      return (
        isTarget &&
        now.offer.disposition === Disposition.Accepted &&
        (phase === 'accepted' || phase === 'committed')
      );
    case 'declineHandoff':
      return isTarget && phase === 'declined';
    case 'commitHandoff':
      return isCommitted(deps, principal, asked, now);
    default:
      return false;
  }
}

async function isCommitted(
  { store, codec }: HandoffDependencies,
  principal: Principal,
  { action, outcomePositive }: AskedEnd,
  { ref, session }: FoundHandoff,
): Promise<boolean> {
  if (session.status !== SessionStatus.Resolved) return false;
  // Nothing follows a Commitment.
  const [last] = await store.read(ref, session.seq - 1, { entries: 1, bytes: 0 });
  const made: CommitmentPayload | undefined =
    last?.actor === principal.agent ? codec.decode(corePayloads.Commitment, last.payload) : undefined;
  return (
    made !== undefined &&
    (action ?? made.action) === made.action &&
    (outcomePositive ?? made.outcomePositive) === made.outcomePositive
  );
}
