/** The rules of a policy for Proposal Mode. Their published JSON Schema is schemas/json/policy/proposal-rules.schema.json. */
import type { JsonObject } from '../../log/json.js';
import {
  type CommitmentRules,
  INITIATOR_ONLY,
  type RulesReading,
  readAuthority,
} from '../../policy/rules.js';
import { block, choice, flag, type RuleKeys, unknownKeys, wholeNumber } from '../../policy/rules-reading.js';

const CRITERIA = ['all_parties', 'counterparty', 'initiator'] as const;

export interface ProposalRules extends CommitmentRules {
  readonly criterion: (typeof CRITERIA)[number];
  /** How many counter-proposals there may be; 0 is no limit. */
  readonly maxRounds: number;
  readonly terminalOnAnyReject: boolean;
}

export const PROPOSAL_RULES_SCHEMA = 'schemas/json/policy/proposal-rules.schema.json';

export const PROPOSAL_RULE_KEYS: RuleKeys = {
  acceptance: { criterion: null },
  counter_proposal: { max_rounds: null },
  rejection: { terminal_on_any_reject: null },
  commitment: { authority: null, designated_roles: null },
};

export const STRICTEST_PROPOSAL_RULES: ProposalRules = {
  ...INITIATOR_ONLY,
  criterion: 'all_parties',
  maxRounds: 0,
  terminalOnAnyReject: false,
};

export function readProposalRules(rules: JsonObject, keys: RuleKeys): RulesReading<ProposalRules> {
  const flaws: string[] = [];
  unknownKeys('rules', rules, keys, flaws);
  const acceptance = block('acceptance', rules, keys, flaws);
  const counter = block('counter_proposal', rules, keys, flaws);
  const rejection = block('rejection', rules, keys, flaws);
  const authority = readAuthority(block('commitment', rules, keys, flaws), flaws);
  const criterion = choice('acceptance.criterion', acceptance.criterion, CRITERIA, flaws);
  const rounds = { default: 0, min: 0 };
  const maxRounds = wholeNumber('counter_proposal.max_rounds', counter.max_rounds, rounds, flaws);
  const { terminal_on_any_reject } = rejection;
  const terminalOnAnyReject = flag('rejection.terminal_on_any_reject', terminal_on_any_reject, flaws);
  if (flaws.length > 0) return { flaws };
  return { rules: { ...authority, criterion, maxRounds, terminalOnAnyReject } };
}
