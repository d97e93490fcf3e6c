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

/** Always there, cannot be registered or removed. Sessions freeze it without rules: what it says is what nobody said. */
export const DEFAULT_POLICY: PolicyDescriptor = {
  policyId: DEFAULT_POLICY_ID,
  mode: ANY_MODE,
  description: 'Built in: the initiator commits, nothing happens by time-out.',
  rules: {},
  schemaVersion: 1,
  registeredAtUnixMs: 0,
};

/** The same with its rules written out, for those who read policies (docs/spec/macp-2026.md 6.5). */
export const SHOWN_DEFAULT_POLICY: PolicyDescriptor = {
  ...DEFAULT_POLICY,
  rules: {
    voting: { algorithm: 'none', quorum: { type: 'count', value: 0 } },
    objection_handling: { critical_severity_vetoes: false, veto_threshold: 1 },
    evaluation: { required_before_voting: false, minimum_confidence: 0 },
    commitment: { authority: 'initiator_only', designated_roles: [], require_vote_quorum: false },
  },
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
