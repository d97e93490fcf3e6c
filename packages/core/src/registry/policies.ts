/** The policy registry: one stream per tenant. Ids are immutable while registered; sessions keep what they froze. */

import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import { FaultCode, HandoverError } from '../fault.js';
import { type Draft, type EntryHead, StreamKind } from '../log/entry.js';
import { canonicalJson, type JsonObject } from '../log/json.js';
import { knowsRules } from '../log/rev.js';
import { newestRules, rulesFlaws } from '../modes/rules-flaws.js';
import {
  ANY_MODE,
  DEFAULT_POLICY,
  DEFAULT_POLICY_ID,
  MAX_POLICY_RULES_BYTES,
  type PolicyDescriptor,
} from '../policy/descriptor.js';
import { KNOWN_SCHEMA_VERSIONS } from '../policy/evaluate.js';
import { RejectionCode, reject } from '../rejection.js';
import type { DeciderOf } from '../streams.js';
import { isBlank, isId, utf8Length } from '../text.js';
import { PolicyEntryType } from './entry-types.js';
import { registryDraft } from './registry-draft.js';

export interface PoliciesState {
  readonly policies: ReadonlyMap<string, PolicyDescriptor>;
  readonly createdAt: number;
}

/** The runtime sets the time of registration. */
export type NewPolicy = Omit<PolicyDescriptor, 'registeredAtUnixMs'>;

export type PoliciesCommand =
  /** `rulesRev` is given by replay: the rules by which a recorded registration was judged. */
  | { readonly kind: 'register'; readonly policy: NewPolicy; readonly rulesRev?: number }
  | { readonly kind: 'unregister'; readonly policyId: string }
  /** Makes the registry equal to a directory of files; records only what differs. */
  | { readonly kind: 'replaceAll'; readonly policies: readonly NewPolicy[] };

export const policiesDecider: DeciderOf<'policies'> = {
  kind: StreamKind.Policies,
  decide: decidePolicies,
  evolve: knowsRules(1, evolvePolicies),
  due: () => undefined,
  tick: () => {
    throw new HandoverError(FaultCode.INTERNAL, 'the policy registry has no timers');
  },
  listingChanged: (before) => before === undefined,
  listing: (state) => ({ state: 'ACTIVE', createdAt: state.createdAt, summary: {} }),
  involved: () => [],
};

export function findPolicy(state: PoliciesState | undefined, id: string): PolicyDescriptor | undefined {
  return id === DEFAULT_POLICY_ID ? DEFAULT_POLICY : state?.policies.get(id);
}

/** All policies that govern a mode (empty: all), by id. */
export function listPolicies(state: PoliciesState | undefined, mode: string): readonly PolicyDescriptor[] {
  const all = [DEFAULT_POLICY, ...(state?.policies.values() ?? [])];
  const governing = all.filter((policy) => mode === '' || policy.mode === mode || policy.mode === ANY_MODE);
  return governing.sort((a, b) => (a.policyId < b.policyId ? -1 : 1));
}

const refuse = (message: string): Decision =>
  rejected(reject(RejectionCode.INVALID_POLICY_DEFINITION, message));

function decidePolicies(state: PoliciesState | undefined, command: PoliciesCommand, stamp: Stamp): Decision {
  switch (command.kind) {
    case 'register': {
      const rulesRev = command.rulesRev ?? newestRules(command.policy.mode);
      const flaw = policyFlaw(command.policy, rulesRev);
      if (flaw) return refuse(flaw);
      if (state?.policies.has(command.policy.policyId))
        return refuse(`policy ${command.policy.policyId} is already registered`);
      return accepted(registerDraft(command.policy, stamp, 0, rulesRev));
    }
    case 'unregister':
      if (command.policyId === DEFAULT_POLICY_ID)
        return refuse(`${DEFAULT_POLICY_ID} is reserved and cannot be removed`);
      if (!state?.policies.has(command.policyId)) return refuse('policy_id is not registered');
      return accepted(registryDraft(PolicyEntryType.Unregistered, stamp, { policy_id: command.policyId }));
    case 'replaceAll':
      return replaceAll(state, command.policies, stamp);
  }
}

export function policyFlaw(policy: NewPolicy, rulesRev?: number): string | undefined {
  if (isBlank(policy.policyId) || !isId(policy.policyId))
    return 'policy_id must be 1 to 256 bytes without control characters';
  if (policy.policyId === DEFAULT_POLICY_ID) return `policy_id ${DEFAULT_POLICY_ID} is reserved`;
  if (!KNOWN_SCHEMA_VERSIONS.has(policy.schemaVersion))
    return `schema_version must be one of ${[...KNOWN_SCHEMA_VERSIONS].join(', ')}`;
  if (isBlank(policy.mode) || !isId(policy.mode)) return 'mode must be a mode id or *';
  if (utf8Length(canonicalJson(policy.rules)) > MAX_POLICY_RULES_BYTES)
    return `rules has more than ${MAX_POLICY_RULES_BYTES} bytes`;
  if (utf8Length(policy.description) > MAX_POLICY_RULES_BYTES)
    return `description has more than ${MAX_POLICY_RULES_BYTES} bytes`;
  const flaws = rulesFlaws(policy, rulesRev);
  return flaws.length > 0 ? `rules: ${flaws.join('; ')}` : undefined;
}

function registerDraft(
  policy: NewPolicy,
  stamp: Stamp,
  offset: number,
  rulesRev = newestRules(policy.mode),
): Draft {
  const { policyId: policy_id, mode, description, schemaVersion: schema_version, rules } = policy;
  return registryDraft(
    PolicyEntryType.Registered,
    stamp,
    {
      policy_id,
      mode,
      description,
      schema_version,
      rules,
      // Without it, by the first rules.
      ...(rulesRev > 1 && { rules_rev: rulesRev }),
    },
    offset,
  );
}

function replaceAll(
  state: PoliciesState | undefined,
  policies: readonly NewPolicy[],
  stamp: Stamp,
): Decision {
  const wanted = new Map(policies.map((policy) => [policy.policyId, policy]));
  if (wanted.size !== policies.length) return refuse('two policies have the same policy_id');
  for (const policy of policies) {
    const flaw = policyFlaw(policy);
    if (flaw) return refuse(`policy ${policy.policyId}: ${flaw}`);
  }
  const drafts: Draft[] = [];
  for (const id of state?.policies.keys() ?? [])
    if (!wanted.has(id))
      drafts.push(registryDraft(PolicyEntryType.Unregistered, stamp, { policy_id: id }, drafts.length));
  for (const policy of policies)
    if (!samePolicy(state?.policies.get(policy.policyId), policy))
      drafts.push(registerDraft(policy, stamp, drafts.length));
  return accepted(...drafts);
}

function samePolicy(known: PolicyDescriptor | undefined, policy: NewPolicy): boolean {
  if (!known) return false;
  const { registeredAtUnixMs: _, ...rest } = known;
  return canonicalJson({ ...rest }) === canonicalJson({ ...policy });
}

function evolvePolicies(state: PoliciesState | undefined, entry: EntryHead): PoliciesState {
  const policies = new Map(state?.policies);
  const { facts } = entry;
  const policyId = String(facts.policy_id);
  switch (entry.type) {
    case PolicyEntryType.Registered:
      policies.set(policyId, {
        policyId,
        mode: String(facts.mode),
        description: String(facts.description),
        rules: facts.rules as JsonObject,
        schemaVersion: Number(facts.schema_version),
        registeredAtUnixMs: entry.at,
      });
      break;
    case PolicyEntryType.Unregistered:
      policies.delete(policyId);
      break;
    default:
      throw new HandoverError(
        FaultCode.DATA_LOSS,
        `policy registry entry ${entry.seq} has unknown type ${entry.type}`,
      );
  }
  return { policies, createdAt: state?.createdAt ?? entry.at };
}
