/**
 * The rules a policy may carry, and their guard. The guard is the authority; the published JSON Schema is held equal
 * to it by a property test. Unknown keys are refused: a mistyped time-out is dangerous.
 */
import type { Json, JsonObject } from '../log/json.js';
import { isId } from '../text.js';

export const CommitmentAuthority = {
  InitiatorOnly: 'initiator_only',
  AnyParticipant: 'any_participant',
  DesignatedRole: 'designated_role',
} as const;
export type CommitmentAuthority = (typeof CommitmentAuthority)[keyof typeof CommitmentAuthority];

export interface PolicyRules {
  readonly implicitAcceptTimeoutMs: number;
  readonly implicitDeclineTimeoutMs: number;
  readonly authority: CommitmentAuthority;
  readonly designatedRoles: readonly string[];
  readonly allowNoTarget: boolean;
}

export type RulesReading = { readonly rules: PolicyRules } | { readonly flaws: readonly string[] };

const AUTHORITIES: ReadonlySet<string> = new Set(Object.values(CommitmentAuthority));
const AUDIT_LEVELS: ReadonlySet<string> = new Set(['debug', 'info', 'warn', 'error']);

/** Reads Handoff rules; `flaws` names each path that is wrong. */
export function readHandoffRules(rules: JsonObject): RulesReading {
  const flaws: string[] = [];
  unknownKeys('rules', rules, ['acceptance', 'commitment', 'audit'], flaws);
  const acceptance = block(
    'acceptance',
    rules,
    ['implicit_accept_timeout_ms', 'implicit_decline_timeout_ms'],
    flaws,
  );
  const audit = block('audit', rules, ['level'], flaws);
  if (audit.level !== undefined && !(typeof audit.level === 'string' && AUDIT_LEVELS.has(audit.level)))
    flaws.push(`audit.level must be one of ${[...AUDIT_LEVELS].join(', ')}`);
  const implicitAcceptTimeoutMs = milliseconds(
    'acceptance.implicit_accept_timeout_ms',
    acceptance.implicit_accept_timeout_ms,
    flaws,
  );
  const implicitDeclineTimeoutMs = milliseconds(
    'acceptance.implicit_decline_timeout_ms',
    acceptance.implicit_decline_timeout_ms,
    flaws,
  );
  if (implicitAcceptTimeoutMs > 0 && implicitDeclineTimeoutMs > 0)
    flaws.push('acceptance: implicit_accept_timeout_ms and implicit_decline_timeout_ms exclude each other');
  const commitment = readCommitmentRules(rules, flaws);
  if (flaws.length > 0) return { flaws };
  return { rules: { implicitAcceptTimeoutMs, implicitDeclineTimeoutMs, ...commitment } };
}

/** Reads what every mode shares: who may commit. Other keys are the mode's own business. */
export function readExtensionRules(rules: JsonObject): RulesReading {
  const flaws: string[] = [];
  const commitment = readCommitmentRules(rules, flaws);
  if (flaws.length > 0) return { flaws };
  return { rules: { implicitAcceptTimeoutMs: 0, implicitDeclineTimeoutMs: 0, ...commitment } };
}

type CommitmentRules = Pick<PolicyRules, 'authority' | 'designatedRoles' | 'allowNoTarget'>;

function readCommitmentRules(rules: JsonObject, flaws: string[]): CommitmentRules {
  const keys = ['authority', 'designated_roles', 'require_vote_quorum', 'allow_no_target'];
  const commitment = block('commitment', rules, keys, flaws);
  const authority =
    commitment.authority === undefined ? CommitmentAuthority.InitiatorOnly : commitment.authority;
  if (!isAuthority(authority))
    flaws.push(`commitment.authority must be one of ${[...AUTHORITIES].join(', ')}`);
  const designatedRoles = senderIds('commitment.designated_roles', commitment.designated_roles, flaws);
  if (authority === CommitmentAuthority.DesignatedRole && designatedRoles.length === 0)
    flaws.push('commitment.designated_roles must name at least one sender when authority is designated_role');
  for (const key of ['require_vote_quorum', 'allow_no_target'])
    if (commitment[key] !== undefined && typeof commitment[key] !== 'boolean')
      flaws.push(`commitment.${key} must be true or false`);
  return {
    authority: isAuthority(authority) ? authority : CommitmentAuthority.InitiatorOnly,
    // A list of roles that the authority does not use designates nobody.
    designatedRoles: authority === CommitmentAuthority.DesignatedRole ? designatedRoles : [],
    allowNoTarget: commitment.allow_no_target === true,
  };
}

function isAuthority(value: Json): value is CommitmentAuthority {
  return typeof value === 'string' && AUTHORITIES.has(value);
}

function block(name: string, rules: JsonObject, known: readonly string[], flaws: string[]): JsonObject {
  const value = rules[name];
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    flaws.push(`${name} must be an object`);
    return {};
  }
  unknownKeys(name, value, known, flaws);
  return value;
}

function unknownKeys(path: string, value: JsonObject, known: readonly string[], flaws: string[]): void {
  for (const key of Object.keys(value))
    if (!known.includes(key)) flaws.push(`${path} has an unknown key "${key}" (known: ${known.join(', ')})`);
}

function milliseconds(path: string, value: Json | undefined, flaws: string[]): number {
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  flaws.push(`${path} must be a whole number of milliseconds, 0 or more`);
  return 0;
}

function senderIds(path: string, value: Json | undefined, flaws: string[]): readonly string[] {
  if (value === undefined) return [];
  const ids: string[] = [];
  if (Array.isArray(value)) {
    for (const id of value) if (typeof id === 'string' && isId(id)) ids.push(id);
    if (ids.length === value.length) return ids;
  }
  flaws.push(`${path} must be a list of sender ids`);
  return [];
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
