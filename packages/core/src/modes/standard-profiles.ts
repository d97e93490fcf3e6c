/**
 * The three policies of Decision Mode that every server may have under the same name (docs/spec/macp-2026.md 6.5). They
 * are built in. Nothing else can have a name under their prefix.
 */
import { canonicalJson, type JsonObject } from '../log/json.js';
import type { PolicyDescriptor } from '../policy/descriptor.js';
import { DECISION_MODE } from './decision/messages.js';
import { DECISION_RULE_KEYS, readDecisionRules } from './decision/policy-rules.js';

const PREFIX = 'policy.std.';
const SCHEMA_VERSION = 1;

const profile = (name: string, description: string, voting: JsonObject): PolicyDescriptor => ({
  policyId: `${PREFIX}${name}`,
  mode: DECISION_MODE,
  description,
  rules: { voting, commitment: { require_vote_quorum: true } },
  schemaVersion: SCHEMA_VERSION,
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
  const meant = resolved(rules);
  return meant !== undefined && meant === resolved(known.rules);
}

/** What the rules say once everything that is not in them has its default. */
function resolved(rules: JsonObject): string | undefined {
  const reading = readDecisionRules(rules, DECISION_RULE_KEYS);
  if ('flaws' in reading) return undefined;
  const { weights, ...read } = reading.rules;
  return canonicalJson({ ...read, weights: Object.fromEntries(weights) });
}
