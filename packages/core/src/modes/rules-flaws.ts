import { ANY_MODE, type FrozenPolicy } from '../policy/descriptor.js';
import { fewFlaws } from '../policy/rules-reading.js';
import { RulesRev } from '../policy/rules-rev.js';
import { FIRST_EXTENSION_RULE_KEYS, readFirstExtensionRules } from './extension/policy-rules.js';
import { BUILT_IN_MODES, ruleKeysFor } from './registry.js';

type PolicyText = Omit<FrozenPolicy, 'policyId'>;

/** What is wrong with a policy's rules. One that governs every mode must be right for each of them. */
export function rulesFlaws(policy: PolicyText, rev: RulesRev): readonly string[] {
  const { mode, rules } = policy;
  if (mode === ANY_MODE) {
    const flaws = [...BUILT_IN_MODES.keys()].flatMap((each) => flawsIn(each, policy, rev));
    // Modes that share a block find the same flaw in it.
    return fewFlaws([...new Set(flaws)]);
  }
  // The first rules did not know the other modes; policies of those were read as an extension's.
  if (rev === RulesRev.First && !isOfFirstRules(mode)) {
    const reading = readFirstExtensionRules(rules, FIRST_EXTENSION_RULE_KEYS);
    return 'flaws' in reading ? fewFlaws(reading.flaws) : [];
  }
  return fewFlaws(flawsIn(mode, policy, rev));
}

/** Whether policies for this mode had closed keys by the first rules, some of which have moved since. */
export function isOfFirstRules(mode: string): boolean {
  return mode === ANY_MODE || BUILT_IN_MODES.get(mode)?.olderRuleKeys !== undefined;
}

/** Nothing is read of the rules of a mode that is not built in. */
function flawsIn(mode: string, policy: PolicyText, rev: RulesRev): readonly string[] {
  const read = BUILT_IN_MODES.get(mode);
  return read ? read.rulesFlaws(policy.rules, ruleKeysFor(read, policy, rev)) : [];
}
