import { ANY_MODE, type FrozenPolicy } from '../policy/descriptor.js';
import { EXTENSION_RULE_KEYS, readExtensionRules } from './extension/policy-rules.js';
import { type AnyMode, BUILT_IN_MODES, type RulesAge, rulesContext } from './registry.js';

type PolicyText = Omit<FrozenPolicy, 'policyId'>;

/** What is wrong with a policy's rules. One that governs every mode must be right for each of them. */
export function rulesFlaws(policy: PolicyText, age: RulesAge): readonly string[] {
  const governed =
    policy.mode === ANY_MODE ? [...BUILT_IN_MODES.values()] : [BUILT_IN_MODES.get(policy.mode)];
  // Modes that share a block find the same flaw in it.
  return [...new Set(governed.flatMap((mode) => flawsIn(mode, policy, age)))];
}

function flawsIn(mode: AnyMode | undefined, policy: PolicyText, age: RulesAge): readonly string[] {
  if (mode) return mode.rulesFlaws(policy.rules, rulesContext(mode, policy, age));
  const extension = { ruleKeys: EXTENSION_RULE_KEYS };
  const reading = readExtensionRules(policy.rules, rulesContext(extension, policy, age));
  return 'flaws' in reading ? reading.flaws : [];
}
