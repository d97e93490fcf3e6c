/**
 * What policies for extension modes say of a Commitment. Nothing of it is read any more: the initiator commits, whatever a
 * policy says (docs/spec/macp-2026.md 5.1). In sessions before revision 4, and in registrations of 0.1.0, it was.
 */
import type { JsonObject } from '../../log/json.js';
import {
  type CommitmentRules,
  INITIATOR_ONLY,
  type RulesReading,
  readAuthority,
} from '../../policy/rules.js';
import { block, flag, type RuleKeys } from '../../policy/rules-reading.js';

export const readFreeRules = (): RulesReading<CommitmentRules> => ({ rules: INITIATOR_ONLY });

export const FIRST_EXTENSION_RULE_KEYS: RuleKeys = {
  // The last two never had an effect here.
  commitment: { authority: null, designated_roles: null, require_vote_quorum: null, allow_no_target: null },
};

/** Keys beside `commitment` were free then, too. */
export function readFirstExtensionRules(rules: JsonObject, keys: RuleKeys): RulesReading<CommitmentRules> {
  const flaws: string[] = [];
  const commitment = block('commitment', rules, keys, flaws);
  const read = readAuthority(commitment, flaws);
  for (const key of ['require_vote_quorum', 'allow_no_target'])
    flag(`commitment.${key}`, commitment[key], flaws);
  return flaws.length > 0 ? { flaws } : { rules: read };
}
