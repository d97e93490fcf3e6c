/**
 * The policy registry: one stream per tenant. Ids are immutable while registered; sessions keep what they froze.
 *
 * P1. `rev` on a registration says by which rules it was judged; without it, by the first ones. So every recorded
 *     registration can be decided again as it was then.
 * P2. A directory of files may still use the keys that have moved since the first rules; a request may not.
 * P3. Names under policy.std. mean the standard profiles, which are built in, whatever an older log registered under them.
 */

import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import { FaultCode, HandoverError } from '../fault.js';
import { type Draft, type EntryHead, StreamKind } from '../log/entry.js';
import { canonicalJson, type JsonObject } from '../log/json.js';
import { knowsRules } from '../log/rev.js';
import { isOfFirstRules, modeFlaw, rulesDoubts, rulesFlaws } from '../modes/rules-flaws.js';
import { isStandardName, isStandardProfile, STANDARD_PROFILES } from '../modes/standard-profiles.js';
import {
  ANY_MODE,
  DEFAULT_POLICY,
  DEFAULT_POLICY_ID,
  MAX_POLICY_RULES_BYTES,
  type PolicyDescriptor,
  SHOWN_DEFAULT_POLICY,
} from '../policy/descriptor.js';
import { KNOWN_SCHEMA_VERSIONS } from '../policy/evaluate.js';
import { RulesRev } from '../policy/rules-rev.js';
import { RejectionCode, reject } from '../rejection.js';
import type { DeciderOf } from '../streams.js';
import { isBlank, isId, utf8Length } from '../text.js';
import { PolicyEntryType } from './entry-types.js';
import { registryDraft } from './registry-draft.js';
import { itemBytes, MAX_POLICIES_BYTES, roomFlaw } from './registry-room.js';

export interface PoliciesState {
  readonly policies: ReadonlyMap<string, PolicyDescriptor>;
  readonly createdAt: number;
  /** Of all of them. */
  readonly bytes?: number;
  /** What a recorded session had frozen, whatever its name; nothing is built in beside it. */
  readonly isFrozen?: true;
}

/** The runtime sets the time of registration. */
export type NewPolicy = Omit<PolicyDescriptor, 'registeredAtUnixMs'>;

export type PoliciesCommand =
  /** `rev` is given by replay. */
  | { readonly kind: 'register'; readonly policy: NewPolicy; readonly rev?: RulesRev }
  | { readonly kind: 'unregister'; readonly policyId: string }
  /** Makes the registry equal to a directory of files; records only what differs. */
  | { readonly kind: 'replaceAll'; readonly policies: readonly NewPolicy[] };

export const policiesDecider: DeciderOf<'policies'> = {
  kind: StreamKind.Policies,
  decide: decidePolicies,
  evolve: knowsRules(RulesRev.Newest, evolvePolicies),
  due: () => undefined,
  tick: () => {
    throw new HandoverError(FaultCode.INTERNAL, 'the policy registry has no timers');
  },
  listingChanged: (before) => before === undefined,
  listing: (state) => ({ state: 'ACTIVE', createdAt: state.createdAt, summary: {} }),
  involved: () => [],
};

export function findPolicy(state: PoliciesState | undefined, id: string): PolicyDescriptor | undefined {
  if (id === DEFAULT_POLICY_ID) return DEFAULT_POLICY;
  if (isStandardName(id) && !state?.isFrozen) return STANDARD_PROFILES.get(id);
  return state?.policies.get(id);
}

/** As `findPolicy`, for those who want to read it. */
export function shownPolicy(state: PoliciesState | undefined, id: string): PolicyDescriptor | undefined {
  return id === DEFAULT_POLICY_ID ? SHOWN_DEFAULT_POLICY : findPolicy(state, id);
}

/** All policies that govern a mode (empty: all), by id. */
export function listPolicies(state: PoliciesState | undefined, mode: string): readonly PolicyDescriptor[] {
  const registered = [...(state?.policies.values() ?? [])].filter(
    ({ policyId }) => !isStandardName(policyId),
  );
  const all = [SHOWN_DEFAULT_POLICY, ...STANDARD_PROFILES.values(), ...registered];
  const governing = all.filter((policy) => mode === '' || policy.mode === mode || policy.mode === ANY_MODE);
  return governing.sort((a, b) => (a.policyId < b.policyId ? -1 : 1));
}

const refuse = (message: string): Decision =>
  rejected(reject(RejectionCode.INVALID_POLICY_DEFINITION, message));

function decidePolicies(state: PoliciesState | undefined, command: PoliciesCommand, stamp: Stamp): Decision {
  switch (command.kind) {
    case 'register': {
      const { policy, rev = RulesRev.Newest } = command;
      const flaw = policyFlaw(policy, rev);
      if (flaw) return refuse(flaw);
      if (state?.policies.has(policy.policyId) || isBuiltIn(policy.policyId, rev))
        return conflict(`policy ${policy.policyId} is already registered`);
      const draft = registerDraft(policy, stamp, 0, rev);
      const held = { count: state?.policies.size ?? 0, bytes: state?.bytes ?? 0 };
      // Replay names the rules: a log may hold more than can be added now.
      const full = command.rev ? undefined : roomFlaw(held, itemBytes(draft.facts), MAX_POLICIES_BYTES);
      return full === undefined ? accepted(draft) : conflict(full);
    }
    case 'unregister':
      if (command.policyId === DEFAULT_POLICY_ID)
        return conflict(`${DEFAULT_POLICY_ID} is reserved and cannot be removed`);
      if (!state?.policies.has(command.policyId)) return notRegistered(command.policyId);
      return accepted(registryDraft(PolicyEntryType.Unregistered, stamp, { policy_id: command.policyId }));
    case 'replaceAll':
      return replaceAll(state, command.policies, stamp);
  }
}

const conflict = (message: string): Decision => rejected(reject(RejectionCode.CONFLICT, message));
const isBuiltIn = (id: string, rev: RulesRev): boolean => rev !== RulesRev.First && STANDARD_PROFILES.has(id);

function notRegistered(policyId: string): Decision {
  if (STANDARD_PROFILES.has(policyId)) return conflict(`${policyId} is built in and cannot be removed`);
  return rejected(reject(RejectionCode.UNKNOWN_POLICY_VERSION, 'policy_id is not registered'));
}

/** What is wrong with a policy. */
export function policyFlaw(policy: NewPolicy, rev: RulesRev): string | undefined {
  if (isBlank(policy.policyId) || !isId(policy.policyId))
    return 'policy_id must be 1 to 256 bytes without control characters';
  if (policy.policyId === DEFAULT_POLICY_ID) return `policy_id ${DEFAULT_POLICY_ID} is reserved`;
  if (!KNOWN_SCHEMA_VERSIONS.has(policy.schemaVersion))
    return `schema_version must be one of ${[...KNOWN_SCHEMA_VERSIONS].join(', ')}`;
  if (isBlank(policy.mode) || !isId(policy.mode)) return 'mode must be a mode id or *';
  const unserved = rev === RulesRev.Newest ? modeFlaw(policy.mode) : undefined;
  if (unserved) return unserved;
  if (utf8Length(canonicalJson(policy.rules)) > MAX_POLICY_RULES_BYTES)
    return `rules has more than ${MAX_POLICY_RULES_BYTES} bytes`;
  if (utf8Length(policy.description) > MAX_POLICY_RULES_BYTES)
    return `description has more than ${MAX_POLICY_RULES_BYTES} bytes`;
  if (rev !== RulesRev.First && isStandardName(policy.policyId) && !isStandardProfile(policy))
    return `policy_id ${policy.policyId} is reserved: policy.std. names three policies, and this is none of them`;
  const flaws = rulesFlaws(policy, rev);
  return flaws.length > 0 ? `rules: ${flaws.join('; ')}` : undefined;
}

function registerDraft(policy: NewPolicy, stamp: Stamp, offset: number, rev: RulesRev): Draft {
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
      ...(rev !== RulesRev.First && { rev }),
    },
    offset,
  );
}

function replaceAll(
  state: PoliciesState | undefined,
  policies: readonly NewPolicy[],
  stamp: Stamp,
): Decision {
  const named = new Set(policies.map(({ policyId }) => policyId));
  if (named.size !== policies.length) return refuse('two policies have the same policy_id');
  for (const policy of policies) {
    const flaw = fileFlaw(policy);
    if (flaw) return refuse(`policy ${policy.policyId}: ${flaw}`);
  }
  const own = policies.filter((policy) => !STANDARD_PROFILES.has(policy.policyId));
  const wanted = new Map(own.map((policy) => [policy.policyId, policy]));
  const drafts: Draft[] = [];
  for (const id of state?.policies.keys() ?? [])
    if (!wanted.has(id))
      drafts.push(registryDraft(PolicyEntryType.Unregistered, stamp, { policy_id: id }, drafts.length));
  for (const policy of own)
    if (!samePolicy(state?.policies.get(policy.policyId), policy))
      drafts.push(registerDraft(policy, stamp, drafts.length, revOf(policy)));
  return accepted(...drafts);
}

/** By which rules a file is taken. Only policies that the first rules knew can still use the keys of then. */
function revOf(policy: NewPolicy): RulesRev {
  if (!isOfFirstRules(policy.mode) || isStandardName(policy.policyId)) return RulesRev.Newest;
  return policyFlaw(policy, RulesRev.Newest) === undefined ? RulesRev.Newest : RulesRev.First;
}

/** Older keys are taken of a file, but nothing that cannot be meant. */
export function fileFlaw(policy: NewPolicy): string | undefined {
  const flaw = policyFlaw(policy, revOf(policy));
  if (flaw !== undefined) return flaw;
  const doubts = rulesDoubts(policy);
  return doubts.length > 0 ? `rules: ${doubts.join('; ')}` : undefined;
}

function samePolicy(known: PolicyDescriptor | undefined, policy: NewPolicy): boolean {
  if (!known) return false;
  const { registeredAtUnixMs: _, ...rest } = known;
  return canonicalJson({ ...rest }) === canonicalJson({ ...policy });
}

/** Of the policies of a state. */
const sizes = new WeakMap<PolicyDescriptor, number>();

function evolvePolicies(state: PoliciesState | undefined, entry: EntryHead): PoliciesState {
  const policies = new Map(state?.policies);
  const { facts } = entry;
  const policyId = String(facts.policy_id);
  const before = policies.get(policyId);
  let bytes = (state?.bytes ?? 0) - (before ? (sizes.get(before) ?? 0) : 0);
  switch (entry.type) {
    case PolicyEntryType.Registered: {
      const policy: PolicyDescriptor = {
        policyId,
        mode: String(facts.mode),
        description: String(facts.description),
        rules: facts.rules as JsonObject,
        schemaVersion: Number(facts.schema_version),
        registeredAtUnixMs: entry.at,
      };
      policies.set(policyId, policy);
      sizes.set(policy, itemBytes(facts));
      bytes += itemBytes(facts);
      break;
    }
    case PolicyEntryType.Unregistered:
      policies.delete(policyId);
      break;
    default:
      throw new HandoverError(
        FaultCode.DATA_LOSS,
        `policy registry entry ${entry.seq} has unknown type ${entry.type}`,
      );
  }
  return { policies, createdAt: state?.createdAt ?? entry.at, bytes };
}
