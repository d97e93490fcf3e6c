/**
 * The rules that policies of every mode share: who may commit. Each mode reads the rest in its own folder. A reader is
 * the authority on its rules; the published JSON Schema is held equal to it by a property test.
 */
import { isFields } from '../fields.js';
import type { Json, JsonObject } from '../log/json.js';
import { senderIds } from './rules-reading.js';

export const CommitmentAuthority = {
  InitiatorOnly: 'initiator_only',
  AnyParticipant: 'any_participant',
  DesignatedRole: 'designated_role',
} as const;
export type CommitmentAuthority = (typeof CommitmentAuthority)[keyof typeof CommitmentAuthority];

/** What the session itself reads of a policy; the rules of a mode extend it. */
export interface CommitmentRules {
  readonly authority: CommitmentAuthority;
  /** Empty unless the authority is a designated role. */
  readonly designatedRoles: readonly string[];
}

/** The rules of a policy that is empty or cannot be read. */
export const INITIATOR_ONLY: CommitmentRules = {
  authority: CommitmentAuthority.InitiatorOnly,
  designatedRoles: [],
};

/** `flaws` names each path that is wrong. */
export type RulesReading<Rules extends CommitmentRules> =
  | { readonly rules: Rules }
  | { readonly flaws: readonly string[] };

/** Each is written into the lists of every session that the policy governs. */
export const MAX_DESIGNATED_ROLES = 100;

/** Asked at registration, whatever the mode, and at the start of a session: older policies stay as they are. */
export function rolesFlaw({ commitment }: JsonObject): string | undefined {
  const roles = isFields(commitment) ? commitment.designated_roles : undefined;
  return Array.isArray(roles) && roles.length > MAX_DESIGNATED_ROLES
    ? `commitment.designated_roles has ${roles.length} senders; at most ${MAX_DESIGNATED_ROLES} are taken`
    : undefined;
}

const AUTHORITIES: ReadonlySet<string> = new Set(Object.values(CommitmentAuthority));

/** Reads who may commit from the `commitment` block. */
export function readAuthority(commitment: JsonObject, flaws: string[]): CommitmentRules {
  const authority =
    commitment.authority === undefined ? CommitmentAuthority.InitiatorOnly : commitment.authority;
  if (!isAuthority(authority))
    flaws.push(`commitment.authority must be one of ${[...AUTHORITIES].join(', ')}`);
  const designatedRoles = senderIds('commitment.designated_roles', commitment.designated_roles, flaws);
  if (authority === CommitmentAuthority.DesignatedRole && designatedRoles.length === 0)
    flaws.push('commitment.designated_roles must name at least one sender when authority is designated_role');
  return {
    authority: isAuthority(authority) ? authority : CommitmentAuthority.InitiatorOnly,
    // A list of roles that the authority does not use designates nobody.
    designatedRoles: authority === CommitmentAuthority.DesignatedRole ? designatedRoles : [],
  };
}

function isAuthority(value: Json): value is CommitmentAuthority {
  return typeof value === 'string' && AUTHORITIES.has(value);
}
