import { DECISION_MODE, KNOWN_SCHEMA_VERSIONS } from '@handover/core';
import { given } from '../arguments.js';
import type { PolicyDescriptor } from '../client/types.js';
import { MacpSessionError } from '../errors.js';
import { block, blocksIn, buildPolicy, commitmentBlock, type PolicyCommitmentRules } from './build-policy.js';

/** How votes, objections and evaluations decide. What is left out has the protocol's default. */
export interface DecisionPolicyRules {
  /** How votes are counted. */
  readonly voting?: {
    readonly algorithm?: 'none' | 'majority' | 'supermajority' | 'unanimous' | 'weighted' | 'plurality';
    /** The share of approvals that is needed, above 0 and at most 1; 0.5 by default. */
    readonly threshold?: number;
    /** How many must vote; a percentage is a number from 0 to 100. */
    readonly quorum?: { readonly type?: 'count' | 'percentage'; readonly value?: number };
    /** What each voter's vote weighs; somebody who is not named weighs nothing. */
    readonly weights?: Readonly<Record<string, number>>;
  };
  /** What critical objections do. */
  readonly objectionHandling?: {
    readonly criticalSeverityVetoes?: boolean;
    /** How many critical objections veto; 1 by default. */
    readonly vetoThreshold?: number;
    readonly criticalObjectionAction?: 'deny' | 'finalize_decline' | 'hold';
  };
  /** What evaluations are for. */
  readonly evaluation?: {
    readonly requiredBeforeVoting?: boolean;
    /** Between 0 and 1. */
    readonly minimumConfidence?: number;
  };
  /** Who may commit, and what it takes. */
  readonly commitment?: PolicyCommitmentRules & {
    readonly requireVoteQuorum?: boolean;
    readonly allowDeclineOverApproval?: boolean;
  };
}

const NEWEST_SCHEMA_VERSION = 3;

/** A policy for Decision sessions, ready for `registerPolicy`; rules that contradict themselves are refused here. */
export function buildDecisionPolicy(
  policyId: string,
  description: string,
  rules: DecisionPolicyRules = {},
  options: { readonly schemaVersion?: 1 | 2 | 3 } = {},
): PolicyDescriptor {
  const { voting = {}, objectionHandling = {}, evaluation = {}, commitment = {} } = blocksIn(rules);
  const { schemaVersion = NEWEST_SCHEMA_VERSION } = given('options', options);
  if (!KNOWN_SCHEMA_VERSIONS.has(schemaVersion))
    throw new MacpSessionError('schemaVersion must be 1, 2 or 3', 'schemaVersion');
  const { algorithm, threshold, quorum, weights } = voting;
  const blocks = {
    voting: block({ algorithm, threshold, quorum: quorum && block({ ...quorum }), weights }),
    objection_handling: block({
      critical_severity_vetoes: objectionHandling.criticalSeverityVetoes,
      veto_threshold: objectionHandling.vetoThreshold,
      critical_objection_action: objectionHandling.criticalObjectionAction,
    }),
    evaluation: block({
      required_before_voting: evaluation.requiredBeforeVoting,
      minimum_confidence: evaluation.minimumConfidence,
    }),
    commitment: block({
      ...commitmentBlock(commitment),
      require_vote_quorum: commitment.requireVoteQuorum,
      allow_decline_over_approval: commitment.allowDeclineOverApproval,
    }),
  };
  return buildPolicy(DECISION_MODE, policyId, description, blocks, schemaVersion);
}
