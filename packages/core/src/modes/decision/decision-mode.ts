/** Decision Mode: participants propose options, review them, vote; a Commitment binds what was decided. */
import type { JsonObject } from '../../log/json.js';
import { RejectionCode, reject } from '../../rejection.js';
import type { Mode } from '../mode.js';
import { standardDescriptor } from '../standard-descriptor.js';
import { treeEntries } from '../tree.js';
import { decisionDenials } from './evaluate.js';
import { evolveDecision } from './evolve.js';
import { DECISION_MODE, DecisionMessageType } from './messages.js';
import { type DecisionPayloads, decisionPayloads } from './payloads.js';
import {
  DECISION_RULE_KEYS,
  DECISION_RULES_SCHEMA,
  type DecisionRules,
  decisionDoubts,
  readDecisionRules,
  STRICTEST_DECISION_RULES,
} from './policy-rules.js';
import { decideDecision } from './rules.js';
import { type DecisionState, NO_PROPOSALS } from './state.js';
import { weightsFlaw } from './weights.js';

export const decisionMode: Mode<DecisionState, DecisionRules, DecisionPayloads> = {
  descriptor: standardDescriptor({
    mode: DECISION_MODE,
    title: 'Decision Mode',
    description: 'Options are proposed, evaluated, objected to and voted on; a Commitment binds the choice.',
    determinismClass: 'semantic-deterministic',
    participantModel: 'declared',
    messageTypes: Object.values(DecisionMessageType),
  }),
  strict: true,
  // A session that lists nobody can only expire or be cancelled.
  minParticipants: 0,
  commitBy: 'policy',
  reservedMessageIdPrefixes: [],
  ruleKeys: DECISION_RULE_KEYS,
  rulesSchema: DECISION_RULES_SCHEMA,
  readRules: readDecisionRules,
  doubtsOf: decisionDoubts,
  uncountable: weightsFlaw,
  strictestRules: STRICTEST_DECISION_RULES,
  payloads: decisionPayloads,
  initial: NO_PROPOSALS,
  decide: decideDecision,
  evolve: evolveDecision,
  ready: ({ proposals }) =>
    proposals ? undefined : reject(RejectionCode.INVALID_ENVELOPE, 'nothing was proposed yet'),
  denials: decisionDenials,
  view: viewDecision,
};

function viewDecision({ phase, proposals, evaluations, objections }: DecisionState): JsonObject {
  // Participants choose their ids: `__proto__` must be a key like any other.
  const shown: Record<string, JsonObject> = Object.create(null);
  for (const [id, { proposedBy, votes }] of treeEntries(proposals)) {
    const cast: Record<string, string> = Object.create(null);
    for (const [voter, vote] of treeEntries(votes)) cast[voter] = vote;
    shown[id] = { proposed_by: proposedBy, votes: cast };
  }
  return {
    phase,
    proposals: shown,
    evaluations: { ...evaluations },
    objections: {
      count: objections.count,
      critical: objections.critical,
      critical_by: objections.criticalBy,
    },
  };
}
