import type { JsonObject } from '../log/json.js';

/** A governance policy as registered. Rules are JSON; equality is id, schema version and rules. */
export interface PolicyDescriptor {
  readonly policyId: string;
  /** The mode it governs, or `*`. */
  readonly mode: string;
  readonly description: string;
  readonly rules: JsonObject;
  readonly schemaVersion: number;
  readonly registeredAtUnixMs: number;
}

export const DEFAULT_POLICY_ID = 'policy.default';
export const ANY_MODE = '*';
export const MAX_POLICY_RULES_BYTES = 65_536;

/** Always there, cannot be registered or removed. */
export const DEFAULT_POLICY: PolicyDescriptor = {
  policyId: DEFAULT_POLICY_ID,
  mode: ANY_MODE,
  description: 'Built in: the initiator commits, nothing happens by time-out.',
  rules: {},
  schemaVersion: 1,
  registeredAtUnixMs: 0,
};

/** The part of a descriptor that is frozen into a session. */
export interface FrozenPolicy {
  readonly policyId: string;
  readonly mode: string;
  readonly schemaVersion: number;
  readonly rules: JsonObject;
}

export function freezePolicy({ policyId, mode, schemaVersion, rules }: PolicyDescriptor): FrozenPolicy {
  return { policyId, mode, schemaVersion, rules };
}
