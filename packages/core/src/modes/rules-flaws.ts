import { ANY_MODE, type FrozenPolicy } from '../policy/descriptor.js';
import { EXTENSION_RULE_KEYS, readExtensionRules } from './extension/policy-rules.js';
import { HANDOFF_MODE } from './handoff/messages.js';
import { type AnyMode, BUILT_IN_MODES, rulesContext } from './registry.js';

type PolicyText = Omit<FrozenPolicy, 'policyId'>;

/** Under the first rules only Handoff's policies were closed; those of other modes were read as an extension's. */
const FIRST_RULES = 1;
const RULES_OF_ALL_MODES = 2;

/** By which rules a policy for this mode is judged now: it is recorded where the answer was once another. */
export const newestRules = (mode: string): number =>
  mode !== HANDOFF_MODE && BUILT_IN_MODES.has(mode) ? RULES_OF_ALL_MODES : FIRST_RULES;

/** What is wrong with a policy's rules. One that governs every mode must be right for each of them. */
export function rulesFlaws(policy: PolicyText, rev = newestRules(policy.mode)): readonly string[] {
  if (rev < newestRules(policy.mode)) return flawsIn(undefined, policy);
  const governed =
    policy.mode === ANY_MODE ? [...BUILT_IN_MODES.values()] : [BUILT_IN_MODES.get(policy.mode)];
  // Modes that share a block find the same flaw in it.
  return [...new Set(governed.flatMap((mode) => flawsIn(mode, policy)))];
}

function flawsIn(mode: AnyMode | undefined, policy: PolicyText): readonly string[] {
  if (mode) return mode.rulesFlaws(policy.rules, rulesContext(mode.ruleKeys, policy));
  const reading = readExtensionRules(policy.rules, rulesContext(EXTENSION_RULE_KEYS, policy));
  return 'flaws' in reading ? reading.flaws : [];
}
