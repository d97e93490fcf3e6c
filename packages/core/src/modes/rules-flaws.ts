import type { JsonObject } from '../log/json.js';
import { ANY_MODE, type FrozenPolicy } from '../policy/descriptor.js';
import { rolesFlaw } from '../policy/rules.js';
import { fewFlaws } from '../policy/rules-reading.js';
import { RulesRev } from '../policy/rules-rev.js';
import { FIRST_EXTENSION_RULE_KEYS, readFirstExtensionRules } from './extension/policy-rules.js';
import type { ModeTerms } from './mode.js';
import { BUILT_IN_MODES, ruleKeysFor, STANDARD_PREFIX } from './registry.js';

type PolicyText = Omit<FrozenPolicy, 'policyId'>;

/** What is wrong with a policy's rules. One that governs every mode must be right for each of them. */
export function rulesFlaws(policy: PolicyText, rev: RulesRev): readonly string[] {
  const { mode, rules } = policy;
  const roles = rev === RulesRev.Newest ? rolesFlaw(rules) : undefined;
  if (roles) return [roles];
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
  const flaws = read?.rulesFlaws(policy.rules, ruleKeysFor(read, policy, rev)) ?? [];
  return flaws.length > 0 || rev !== RulesRev.Newest || !read ? flaws : doubtsIn(read, policy.rules);
}

/** What can be read in the rules and not be meant, in whichever words they are written down. */
export function rulesDoubts({ mode, rules }: Pick<PolicyText, 'mode' | 'rules'>): readonly string[] {
  const modes = [...BUILT_IN_MODES].filter(([id]) => mode === ANY_MODE || id === mode);
  const roles = rolesFlaw(rules);
  return [...(roles ? [roles] : []), ...modes.flatMap(([, each]) => doubtsIn(each, rules))];
}

function doubtsIn(mode: ModeTerms, rules: JsonObject): readonly string[] {
  const doubts = mode.doubtsOf?.(rules) ?? [];
  const uncountable = mode.uncountable?.(rules);
  return uncountable === undefined ? doubts : [...doubts, uncountable];
}

/** A mode under the protocol's own names that is not served here can never be: no extension may have such a name. */
export function modeFlaw(mode: string): string | undefined {
  if (!mode.startsWith(STANDARD_PREFIX) || BUILT_IN_MODES.has(mode)) return undefined;
  const served = [...BUILT_IN_MODES.keys()].filter((id) => id.startsWith(STANDARD_PREFIX));
  return `mode ${mode} is not served here (known: ${served.join(', ')})`;
}
