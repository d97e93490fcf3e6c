/** The rules of a policy for Quorum Mode. Their published JSON Schema is schemas/json/policy/quorum-rules.schema.json. */
import type { JsonObject } from '../../log/json.js';
import {
  type CommitmentRules,
  INITIATOR_ONLY,
  type RulesReading,
  readAuthority,
} from '../../policy/rules.js';
import { block, choice, flag, type RuleKeys, unknownKeys, wholeNumber } from '../../policy/rules-reading.js';

/** `count` is another word for `n_of_m`. */
const TYPES = ['n_of_m', 'percentage', 'count'] as const;
const INTERPRETATIONS = ['neutral', 'implicit_reject', 'ignored'] as const;

export interface Threshold {
  readonly type: 'n_of_m' | 'percentage';
  /** Undefined: the request says how many. */
  readonly value: number | undefined;
}

export interface QuorumRules extends CommitmentRules {
  readonly threshold: Threshold | 'unreadable';
}

export const QUORUM_RULES_SCHEMA = 'schemas/json/policy/quorum-rules.schema.json';

export const QUORUM_RULE_KEYS: RuleKeys = {
  threshold: { type: null, value: null },
  abstention: { counts_toward_quorum: null, interpretation: null },
  commitment: { authority: null, designated_roles: null },
};

export const STRICTEST_QUORUM_RULES: QuorumRules = { ...INITIATOR_ONLY, threshold: 'unreadable' };

export function readQuorumRules(rules: JsonObject, keys: RuleKeys): RulesReading<QuorumRules> {
  const flaws: string[] = [];
  unknownKeys('rules', rules, keys, flaws);
  const threshold = readThreshold(block('threshold', rules, keys, flaws), flaws);
  // Both are for readers of a policy: an abstention uses up a ballot and changes nothing else.
  const abstention = block('abstention', rules, keys, flaws);
  flag('abstention.counts_toward_quorum', abstention.counts_toward_quorum, flaws);
  choice('abstention.interpretation', abstention.interpretation, INTERPRETATIONS, flaws);
  const authority = readAuthority(block('commitment', rules, keys, flaws), flaws);
  return flaws.length > 0 ? { flaws } : { rules: { ...authority, threshold } };
}

function readThreshold({ type, value }: JsonObject, flaws: string[]): Threshold {
  const word = choice('threshold.type', type, TYPES, flaws);
  const isShare = word === 'percentage';
  const range = { default: 1, min: 1, ...(isShare && { max: 100 }) };
  const needed = value === undefined ? undefined : wholeNumber('threshold.value', value, range, flaws);
  return { type: isShare ? 'percentage' : 'n_of_m', value: needed };
}
