/** The rules of a policy for Decision Mode. Their published JSON Schema is schemas/json/policy/decision-rules.schema.json. */
import { isFields } from '../../fields.js';
import type { Json, JsonObject } from '../../log/json.js';
import {
  type CommitmentRules,
  INITIATOR_ONLY,
  type RulesReading,
  readAuthority,
} from '../../policy/rules.js';
import {
  block,
  choice,
  flag,
  number,
  type RuleKeys,
  unknownKeys,
  wholeNumber,
} from '../../policy/rules-reading.js';

const ALGORITHMS = ['none', 'majority', 'supermajority', 'unanimous', 'weighted', 'plurality'] as const;
const QUORUM_TYPES = ['count', 'percentage'] as const;
const VETO_ACTIONS = ['deny', 'finalize_decline', 'hold'] as const;

export interface DecisionRules extends CommitmentRules {
  readonly algorithm: (typeof ALGORITHMS)[number];
  readonly threshold: number;
  /** What each voter's vote weighs; somebody who is not in it weighs nothing. */
  readonly weights: ReadonlyMap<string, number>;
  readonly quorum: { readonly type: (typeof QUORUM_TYPES)[number]; readonly value: number };
  readonly requireVoteQuorum: boolean;
  readonly criticalVetoes: boolean;
  readonly vetoThreshold: number;
  readonly vetoAction: (typeof VETO_ACTIONS)[number];
  readonly evaluationRequired: boolean;
  readonly minimumConfidence: number;
  readonly allowDeclineOverApproval: boolean;
}

export const DECISION_RULES_SCHEMA = 'schemas/json/policy/decision-rules.schema.json';

export const DECISION_RULE_KEYS: RuleKeys = {
  voting: { algorithm: null, threshold: null, quorum: { type: null, value: null }, weights: null },
  objection_handling: {
    critical_severity_vetoes: null,
    veto_threshold: null,
    critical_objection_action: null,
  },
  evaluation: { required_before_voting: null, minimum_confidence: null },
  commitment: {
    authority: null,
    designated_roles: null,
    require_vote_quorum: null,
    allow_decline_over_approval: null,
  },
};

/** They never decide anything: with rules that cannot be read no Commitment is possible. */
export const STRICTEST_DECISION_RULES: DecisionRules = {
  ...INITIATOR_ONLY,
  algorithm: 'unanimous',
  threshold: 1,
  weights: new Map(),
  quorum: { type: 'percentage', value: 100 },
  requireVoteQuorum: true,
  criticalVetoes: true,
  vetoThreshold: 1,
  vetoAction: 'deny',
  evaluationRequired: true,
  minimumConfidence: 1,
  allowDeclineOverApproval: false,
};

export function readDecisionRules(rules: JsonObject, keys: RuleKeys): RulesReading<DecisionRules> {
  const flaws: string[] = [];
  unknownKeys('rules', rules, keys, flaws);
  const voting = readVoting(rules, keys, flaws);
  const objection = block('objection_handling', rules, keys, flaws);
  const evaluation = block('evaluation', rules, keys, flaws);
  const commitment = block('commitment', rules, keys, flaws);
  const read: DecisionRules = {
    ...readAuthority(commitment, flaws),
    ...voting,
    requireVoteQuorum: flag('commitment.require_vote_quorum', commitment.require_vote_quorum, flaws),
    criticalVetoes: flag(
      'objection_handling.critical_severity_vetoes',
      objection.critical_severity_vetoes,
      flaws,
    ),
    vetoThreshold: wholeNumber(
      'objection_handling.veto_threshold',
      objection.veto_threshold,
      { default: 1, min: 1 },
      flaws,
    ),
    vetoAction: choice(
      'objection_handling.critical_objection_action',
      objection.critical_objection_action,
      VETO_ACTIONS,
      flaws,
    ),
    evaluationRequired: flag('evaluation.required_before_voting', evaluation.required_before_voting, flaws),
    minimumConfidence: number(
      'evaluation.minimum_confidence',
      evaluation.minimum_confidence,
      { default: 0, min: 0, max: 1 },
      flaws,
    ),
    allowDeclineOverApproval: flag(
      'commitment.allow_decline_over_approval',
      commitment.allow_decline_over_approval,
      flaws,
    ),
  };
  return flaws.length > 0 ? { flaws } : { rules: read };
}

/** How many percent a quorum is. What would be half a percent is more likely meant to be a half. */
export function decisionDoubts(rules: JsonObject): readonly string[] {
  const { type, value } = fieldsOf(fieldsOf(rules.voting).quorum);
  if (type !== 'percentage' || typeof value !== 'number') return [];
  if (value === 0 || (value >= 1 && value <= 100)) return [];
  return ['voting.quorum.value of a percentage must be 0, or from 1 to 100: 50 means 50 percent'];
}

const fieldsOf = (value: Json | undefined): JsonObject => (isFields(value) ? value : {});

type Voting = Pick<DecisionRules, 'algorithm' | 'threshold' | 'weights' | 'quorum'>;

function readVoting(rules: JsonObject, keys: RuleKeys, flaws: string[]): Voting {
  const voting = block('voting', rules, keys, flaws);
  const algorithm = choice('voting.algorithm', voting.algorithm, ALGORITHMS, flaws);
  const threshold = number(
    'voting.threshold',
    voting.threshold,
    { default: 0.5, min: 0, max: 1, above: true },
    flaws,
  );
  if (algorithm === 'majority' && threshold < 0.5)
    flaws.push('voting.threshold must be at least 0.5 for majority');
  if (algorithm === 'supermajority' && !(typeof voting.threshold === 'number' && voting.threshold > 0.5))
    flaws.push('voting.threshold must be given for supermajority, above 0.5');
  const quorum = block('quorum', voting, keys.voting ?? {}, flaws, 'voting.quorum');
  const weights = readWeights(voting.weights, flaws);
  if (algorithm === 'weighted' && voting.weights === undefined)
    flaws.push('voting.weights must be given for weighted');
  return {
    algorithm,
    threshold,
    weights,
    quorum: {
      type: choice('voting.quorum.type', quorum.type, QUORUM_TYPES, flaws),
      value: number('voting.quorum.value', quorum.value, { default: 0, min: 0 }, flaws),
    },
  };
}

function readWeights(value: Json | undefined, flaws: string[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  if (value === undefined) return weights;
  const entries = isFields(value) ? Object.entries(value) : [];
  for (const [voter, weight] of entries)
    if (typeof weight === 'number' && weight > 0) weights.set(voter, weight);
  if (entries.length === 0 || weights.size < entries.length)
    flaws.push('voting.weights must give at least one participant a number above 0, and no other values');
  return weights;
}
