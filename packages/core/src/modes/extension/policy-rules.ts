/** What is read of a policy for an extension mode: who may commit. Other keys at the top are not checked. */
import type { JsonObject } from '../../log/json.js';
import {
  type CommitmentRules,
  type RulesContext,
  type RulesReading,
  readAuthority,
} from '../../policy/rules.js';
import { block, flag, type RuleKeys } from '../../policy/rules-reading.js';

export const EXTENSION_RULE_KEYS: RuleKeys = {
  // The last two have no effect here, but policies of 0.1.0 may hold them.
  commitment: { authority: null, designated_roles: null, require_vote_quorum: null, allow_no_target: null },
};

export function readExtensionRules(
  rules: JsonObject,
  { keys }: Pick<RulesContext, 'keys'> = { keys: EXTENSION_RULE_KEYS },
): RulesReading<CommitmentRules> {
  const flaws: string[] = [];
  const commitment = block('commitment', rules, keys, flaws);
  const read = readAuthority(commitment, flaws);
  for (const key of ['require_vote_quorum', 'allow_no_target'])
    flag(`commitment.${key}`, commitment[key], flaws);
  return flaws.length > 0 ? { flaws } : { rules: read };
}
