/** The rules of a policy for Task Mode. Their published JSON Schema is schemas/json/policy/task-rules.schema.json. */
import type { JsonObject } from '../../log/json.js';
import {
  type CommitmentRules,
  INITIATOR_ONLY,
  type RulesReading,
  readAuthority,
} from '../../policy/rules.js';
import { block, flag, type RuleKeys, unknownKeys } from '../../policy/rules-reading.js';

export interface TaskRules extends CommitmentRules {
  readonly allowReassignment: boolean;
  readonly requireOutput: boolean;
}

export const TASK_RULES_SCHEMA = 'schemas/json/policy/task-rules.schema.json';

export const TASK_RULE_KEYS: RuleKeys = {
  assignment: { allow_reassignment_on_reject: null },
  completion: { require_output: null },
  commitment: { authority: null, designated_roles: null },
};

export const STRICTEST_TASK_RULES: TaskRules = {
  ...INITIATOR_ONLY,
  allowReassignment: false,
  requireOutput: true,
};

export function readTaskRules(rules: JsonObject, keys: RuleKeys): RulesReading<TaskRules> {
  const flaws: string[] = [];
  unknownKeys('rules', rules, keys, flaws);
  const { allow_reassignment_on_reject } = block('assignment', rules, keys, flaws);
  const { require_output } = block('completion', rules, keys, flaws);
  const authority = readAuthority(block('commitment', rules, keys, flaws), flaws);
  const allowReassignment = flag(
    'assignment.allow_reassignment_on_reject',
    allow_reassignment_on_reject,
    flaws,
  );
  const requireOutput = flag('completion.require_output', require_output, flaws);
  return flaws.length > 0 ? { flaws } : { rules: { ...authority, allowReassignment, requireOutput } };
}
