import { effectiveThreshold, isFields, type Json, QUORUM_RULE_KEYS, readQuorumRules } from '@handover/core';
import type { PolicyDescriptor } from '../client/types.js';

/** How many approvals a policy makes of those that were required; undefined when its rules cannot be read. */
export function effectiveQuorumThreshold(
  policy: Pick<PolicyDescriptor, 'rules'> | undefined,
  participants: readonly string[],
  required: number,
): number | undefined {
  if (!policy) return required;
  const rules = readRules(policy.rules);
  return rules && effectiveThreshold(required, { rules, participants });
}

function readRules(text: string) {
  try {
    const json = JSON.parse(text) as Json;
    const reading = isFields(json) ? readQuorumRules(json, QUORUM_RULE_KEYS) : undefined;
    return reading && 'rules' in reading ? reading.rules : undefined;
  } catch {
    return undefined;
  }
}
