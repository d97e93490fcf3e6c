/** State of Quorum Mode: one request and a ballot from each participant at most. */
import type { SessionView } from '../mode.js';
import type { QuorumRules } from './policy-rules.js';

export interface Ballot {
  readonly by: string;
  readonly choice: 'approve' | 'reject' | 'abstain';
}

export interface ApprovalRequest {
  readonly requestId: string;
  readonly requiredApprovals: number;
}

export interface QuorumState {
  readonly request?: ApprovalRequest;
  readonly ballots: readonly Ballot[];
}

export const NO_REQUEST: QuorumState = { ballots: [] };

export function approvalsIn({ ballots }: QuorumState): number {
  return ballots.filter(({ choice }) => choice === 'approve').length;
}

/**
 * How many approvals are needed: what the policy says, else what was asked for. It may be more than there are
 * participants; undefined when the policy cannot be read.
 */
export function effectiveThreshold(
  requiredApprovals: number,
  { rules, participants }: Pick<SessionView<QuorumRules>, 'rules' | 'participants'>,
): number | undefined {
  const { threshold } = rules;
  if (threshold === 'unreadable') return undefined;
  if (threshold.value === undefined) return requiredApprovals;
  if (threshold.type === 'n_of_m') return threshold.value;
  // In whole numbers: a product of fractions could round past the next approval.
  return Math.max(Math.floor((threshold.value * participants.length + 99) / 100), 1);
}
