import { PROPOSAL_MODE } from '@handover/core';
import type { PolicyDescriptor } from '../client/types.js';
import { block, blocksIn, buildPolicy, commitmentBlock, type PolicyCommitmentRules } from './build-policy.js';

/** When peers have agreed, and what a rejection means. */
export interface ProposalPolicyRules {
  /** Whose acceptance is needed: all participants' (the default), all but the author's, or the initiator's. */
  readonly acceptance?: { readonly criterion?: 'all_parties' | 'counterparty' | 'initiator' };
  /** How many counter-proposals there may be; 0, the default, is no limit. */
  readonly counterProposal?: { readonly maxRounds?: number };
  /** Whether every rejection ends the negotiation. */
  readonly rejection?: { readonly terminalOnAnyReject?: boolean };
  /** Who may commit. */
  readonly commitment?: PolicyCommitmentRules;
}

/** A policy for Proposal sessions, ready for `registerPolicy`; rules that contradict themselves are refused here. */
export function buildProposalPolicy(
  policyId: string,
  description: string,
  rules: ProposalPolicyRules = {},
): PolicyDescriptor {
  const { acceptance = {}, counterProposal = {}, rejection = {}, commitment = {} } = blocksIn(rules);
  return buildPolicy(PROPOSAL_MODE, policyId, description, {
    acceptance: block({ criterion: acceptance.criterion }),
    counter_proposal: block({ max_rounds: counterProposal.maxRounds }),
    rejection: block({ terminal_on_any_reject: rejection.terminalOnAnyReject }),
    commitment: commitmentBlock(commitment),
  });
}
