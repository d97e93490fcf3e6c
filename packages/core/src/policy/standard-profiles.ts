/**
 * The three policies of Decision Mode that every server may have under the same name (docs/spec/macp-2026.md 6.5). They
 * are built in. Nothing else can have a name under their prefix.
 */
import { isFields } from '../fields.js';
import { canonicalJson, type Json, type JsonObject } from '../log/json.js';
import type { PolicyDescriptor } from './descriptor.js';

const PREFIX = 'policy.std.';
const DECISION_MODE = 'macp.mode.decision.v1';

const profile = (name: string, description: string, voting: JsonObject): PolicyDescriptor => ({
  policyId: `${PREFIX}${name}`,
  mode: DECISION_MODE,
  description,
  rules: { voting, commitment: { require_vote_quorum: true } },
  schemaVersion: 1,
  registeredAtUnixMs: 0,
});
const votes = (value: number): JsonObject => ({ type: 'count', value });

const PROFILES = [
  profile('majority', 'Built in: at least half of the decisive votes, and one vote.', {
    algorithm: 'majority',
    threshold: 0.5,
    quorum: votes(1),
  }),
  profile('supermajority', 'Built in: two thirds of the decisive votes, and two votes.', {
    algorithm: 'supermajority',
    threshold: 0.6666666666666666,
    quorum: votes(2),
  }),
  profile('unanimous', 'Built in: every participant approves, and nobody rejects.', {
    algorithm: 'unanimous',
    quorum: votes(1),
  }),
];

export const STANDARD_PROFILES: ReadonlyMap<string, PolicyDescriptor> = new Map(
  PROFILES.map((policy) => [policy.policyId, policy]),
);

export function isStandardName(policyId: string): boolean {
  return policyId.startsWith(PREFIX);
}

type Described = Pick<PolicyDescriptor, 'policyId' | 'mode' | 'schemaVersion' | 'rules'>;

/** Whether it is a profile, however its rules are written down: notes and what is the default anyway do not count. */
export function isStandardProfile({ policyId, mode, schemaVersion, rules }: Described): boolean {
  const known = STANDARD_PROFILES.get(policyId);
  if (!known || mode !== known.mode || schemaVersion !== known.schemaVersion) return false;
  return canonicalJson(resolved(rules, DEFAULTS)) === canonicalJson(resolved(known.rules, DEFAULTS));
}

const DEFAULTS: JsonObject = {
  voting: { algorithm: 'none', threshold: 0.5, quorum: { type: 'count', value: 0 } },
  objection_handling: { critical_severity_vetoes: false, veto_threshold: 1, critical_objection_action: 'deny' },
  evaluation: { required_before_voting: false, minimum_confidence: 0 },
  commitment: {
    authority: 'initiator_only',
    designated_roles: [],
    require_vote_quorum: false,
    allow_decline_over_approval: false,
  },
};

function resolved(rules: JsonObject, defaults: JsonObject): JsonObject {
  const whole: Record<string, Json> = { ...defaults };
  for (const [key, value] of Object.entries(rules)) {
    if (key.startsWith('_') || key.startsWith('$')) continue;
    const fallback = defaults[key];
    whole[key] = isFields(value) && isFields(fallback) ? resolved(value, fallback) : value;
  }
  return whole;
}
