/** The rules of a policy for Handoff Mode. Its published JSON Schema is schemas/json/policy/handoff-rules.schema.json. */
import type { JsonObject } from '../../log/json.js';
import {
  type CommitmentRules,
  INITIATOR_ONLY,
  type RulesContext,
  type RulesReading,
  readAuthority,
} from '../../policy/rules.js';
import { block, flag, milliseconds, type RuleKeys, unknownKeys } from '../../policy/rules-reading.js';

export interface HandoffRules extends CommitmentRules {
  readonly implicitAcceptTimeoutMs: number;
  readonly implicitDeclineTimeoutMs: number;
  readonly allowNoTarget: boolean;
}

export const HANDOFF_RULES_SCHEMA = 'schemas/json/policy/handoff-rules.schema.json';

export const HANDOFF_RULE_KEYS: RuleKeys = {
  acceptance: { implicit_accept_timeout_ms: null, implicit_decline_timeout_ms: null },
  commitment: { authority: null, designated_roles: null, require_vote_quorum: null, allow_no_target: null },
  audit: { level: null },
};

/** Nothing happens by time-out, and the initiator alone commits. */
export const STRICTEST_HANDOFF_RULES: HandoffRules = {
  ...INITIATOR_ONLY,
  implicitAcceptTimeoutMs: 0,
  implicitDeclineTimeoutMs: 0,
  allowNoTarget: false,
};

const AUDIT_LEVELS: ReadonlySet<string> = new Set(['debug', 'info', 'warn', 'error']);

export function readHandoffRules(
  rules: JsonObject,
  { keys }: Pick<RulesContext, 'keys'> = { keys: HANDOFF_RULE_KEYS },
): RulesReading<HandoffRules> {
  const flaws: string[] = [];
  unknownKeys('rules', rules, keys, flaws);
  const acceptance = block('acceptance', rules, keys, flaws);
  const audit = block('audit', rules, keys, flaws);
  if (audit.level !== undefined && !(typeof audit.level === 'string' && AUDIT_LEVELS.has(audit.level)))
    flaws.push(`audit.level must be one of ${[...AUDIT_LEVELS].join(', ')}`);
  const timeout = (key: string) => milliseconds(`acceptance.${key}`, acceptance[key], flaws);
  const implicitAcceptTimeoutMs = timeout('implicit_accept_timeout_ms');
  const implicitDeclineTimeoutMs = timeout('implicit_decline_timeout_ms');
  if (implicitAcceptTimeoutMs > 0 && implicitDeclineTimeoutMs > 0)
    flaws.push('acceptance: implicit_accept_timeout_ms and implicit_decline_timeout_ms exclude each other');
  const commitment = block('commitment', rules, keys, flaws);
  const authority = readAuthority(commitment, flaws);
  // A key of other modes, without effect here.
  flag('commitment.require_vote_quorum', commitment.require_vote_quorum, flaws);
  const allowNoTarget = flag('commitment.allow_no_target', commitment.allow_no_target, flaws);
  if (flaws.length > 0) return { flaws };
  return { rules: { ...authority, implicitAcceptTimeoutMs, implicitDeclineTimeoutMs, allowNoTarget } };
}
