import { QUORUM_MODE } from '@handover/core';
import type { PolicyDescriptor } from '../client/types.js';
import { block, blocksIn, buildPolicy, commitmentBlock, type PolicyCommitmentRules } from './build-policy.js';

/** How many approvals are needed, whatever the request says. */
export interface QuorumPolicyRules {
  /** A number of approvals, or a whole percentage (1 to 100) of the participants; without a value the request decides. */
  readonly threshold?: { readonly type?: 'n_of_m' | 'percentage'; readonly value?: number };
  /** For readers of the policy: an abstention uses up a ballot and changes nothing else. */
  readonly abstention?: {
    readonly countsTowardQuorum?: boolean;
    readonly interpretation?: 'neutral' | 'implicit_reject' | 'ignored';
  };
  /** Who may commit. */
  readonly commitment?: PolicyCommitmentRules;
}

/** A policy for Quorum sessions, ready for `registerPolicy`; rules that contradict themselves are refused here. */
export function buildQuorumPolicy(
  policyId: string,
  description: string,
  rules: QuorumPolicyRules = {},
): PolicyDescriptor {
  const { threshold = {}, abstention = {}, commitment = {} } = blocksIn(rules);
  return buildPolicy(QUORUM_MODE, policyId, description, {
    threshold: block({ type: threshold.type, value: threshold.value }),
    abstention: block({
      counts_toward_quorum: abstention.countsTowardQuorum,
      interpretation: abstention.interpretation,
    }),
    commitment: commitmentBlock(commitment),
  });
}
