/**
 * When a Commitment may end a Quorum session: the threshold is reached, or no longer can be. A positive outcome needs it
 * reached, under every policy, so a policy has nothing left to deny.
 */
import type { CommitmentPayload } from '../../envelope/payloads.js';
import { type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { SessionView } from '../mode.js';
import type { QuorumRules } from './policy-rules.js';
import { approvalsIn, effectiveThreshold, type QuorumState } from './state.js';

const invalid = (message: string): Rejection => reject(RejectionCode.INVALID_ENVELOPE, message);

export function quorumReady(
  state: QuorumState,
  { outcomePositive }: Pick<CommitmentPayload, 'outcomePositive'>,
  session: Pick<SessionView<QuorumRules>, 'participants' | 'rules'>,
): Rejection | undefined {
  if (!state.request) return invalid('nobody asked for approval yet');
  const needed = effectiveThreshold(state.request.requiredApprovals, session);
  if (needed === undefined) return invalid('the threshold of the policy cannot be evaluated');
  const approvals = approvalsIn(state);
  if (approvals >= needed) return undefined;
  const open = session.participants.length - state.ballots.length;
  const reachable = approvals + open >= needed;
  if (reachable) return invalid(`approvals: ${approvals} of ${needed}; open ballots: ${open}`);
  return outcomePositive
    ? invalid(`outcome_positive is true but ${needed} approvals were not reached`)
    : undefined;
}
