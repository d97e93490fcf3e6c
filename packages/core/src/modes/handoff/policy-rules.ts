/** The rules of a policy for Handoff Mode. Its published JSON Schema is schemas/json/policy/handoff-rules.schema.json. */
import type { JsonObject } from '../../log/json.js';
import {
  type CommitmentRules,
  INITIATOR_ONLY,
  type RulesReading,
  readAuthority,
} from '../../policy/rules.js';
import {
  block,
  flag,
  mergeKeys,
  milliseconds,
  type RuleKeys,
  unknownKeys,
} from '../../policy/rules-reading.js';

export interface HandoffRules extends CommitmentRules {
  readonly implicitAcceptTimeoutMs: number;
  readonly implicitDeclineTimeoutMs: number;
  readonly allowNoTarget: boolean;
}

export const HANDOFF_RULES_SCHEMA = 'schemas/json/policy/handoff-rules.schema.json';

/** The one vendor key of this server: rules that the protocol does not have. */
export const HANDOVER_RULES = 'x-handover.rules';

export const HANDOFF_RULE_KEYS: RuleKeys = {
  acceptance: { implicit_accept_timeout_ms: null },
  commitment: { authority: null, designated_roles: null },
  [HANDOVER_RULES]: { implicit_decline_timeout_ms: null, allow_no_target: null, audit: { level: null } },
};

/** Where 0.1.0 had rules of its own, and a key of other modes. */
export const OLDER_HANDOFF_RULE_KEYS: RuleKeys = {
  acceptance: { implicit_decline_timeout_ms: null },
  commitment: { require_vote_quorum: null, allow_no_target: null },
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
  keys: RuleKeys = HANDOFF_RULE_KEYS,
): RulesReading<HandoffRules> {
  const flaws: string[] = [];
  unknownKeys('rules', rules, keys, flaws);
  const acceptance = block('acceptance', rules, keys, flaws);
  const commitment = block('commitment', rules, keys, flaws);
  const own = block(HANDOVER_RULES, rules, keys, flaws);
  movedKeys({ acceptance, commitment, rules }, keys, flaws);
  auditFlaw('audit', block('audit', rules, keys, flaws), flaws);
  const audit = `${HANDOVER_RULES}.audit`;
  auditFlaw(audit, block('audit', own, keys[HANDOVER_RULES] ?? {}, flaws, audit), flaws);
  const implicitAcceptTimeoutMs = timeout('acceptance', 'implicit_accept_timeout_ms', acceptance, flaws);
  const older = timeout('acceptance', 'implicit_decline_timeout_ms', acceptance, flaws);
  const implicitDeclineTimeoutMs =
    timeout(HANDOVER_RULES, 'implicit_decline_timeout_ms', own, flaws) || older;
  if (implicitAcceptTimeoutMs > 0 && implicitDeclineTimeoutMs > 0)
    flaws.push('implicit_accept_timeout_ms and implicit_decline_timeout_ms exclude each other');
  const authority = readAuthority(commitment, flaws);
  flag('commitment.require_vote_quorum', commitment.require_vote_quorum, flaws);
  const olderNoTarget = flag('commitment.allow_no_target', commitment.allow_no_target, flaws);
  const allowNoTarget =
    flag(`${HANDOVER_RULES}.allow_no_target`, own.allow_no_target, flaws) || olderNoTarget;
  if (flaws.length > 0) return { flaws };
  return { rules: { ...authority, implicitAcceptTimeoutMs, implicitDeclineTimeoutMs, allowNoTarget } };
}

const EVERY_KEY = mergeKeys(HANDOFF_RULE_KEYS, OLDER_HANDOFF_RULE_KEYS);

/** Rules that may have been registered when our own stood among the protocol's. */
export function readRecordedHandoffRules(rules: JsonObject): RulesReading<HandoffRules> {
  return readHandoffRules(rules, EVERY_KEY);
}

const timeout = (path: string, key: string, block: JsonObject, flaws: string[]): number =>
  milliseconds(`${path}.${key}`, block[key], flaws);

function auditFlaw(path: string, { level }: JsonObject, flaws: string[]): void {
  if (level !== undefined && !(typeof level === 'string' && AUDIT_LEVELS.has(level)))
    flaws.push(`${path}.level must be one of ${[...AUDIT_LEVELS].join(', ')}`);
}

/** Says where a rule of our own stands now, besides that it is not known where it was. */
function movedKeys(
  places: Readonly<Record<'acceptance' | 'commitment' | 'rules', JsonObject>>,
  keys: RuleKeys,
  flaws: string[],
): void {
  for (const [place, key] of MOVED) {
    const known = place === 'rules' ? keys : (keys[place] ?? {});
    if (places[place][key] !== undefined && known[key] === undefined)
      flaws.push(`${key} stands in ${HANDOVER_RULES} now: ${HANDOVER_RULES}.${key}`);
  }
}

const MOVED = [
  ['acceptance', 'implicit_decline_timeout_ms'],
  ['commitment', 'allow_no_target'],
  ['rules', 'audit'],
] as const;
