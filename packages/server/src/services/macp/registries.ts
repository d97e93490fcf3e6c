/** The registries: policies and extension modes. Changing them needs a capability; reading them does not. */
import {
  extensionModes,
  isBlank,
  isId,
  listPolicies,
  type ModeDescriptor,
  type ModesCommand,
  type ModesState,
  type NewPolicy,
  type PoliciesCommand,
  type PoliciesState,
  type PolicyDescriptor,
  type Rejection,
  RejectionCode,
  reject,
  type Step,
  shownPolicy,
  standardModes,
} from '@handover/core';
import { isDeceptive } from '../../auth/agent-name.js';
import type { Principal } from '../../auth/principal.js';
import { RateBucket } from '../../auth/rate-limiter.js';
import type { ServiceDependencies } from '../dependencies.js';
import { rateFlaw } from '../rate-flaw.js';
import { modesRef, policiesRef } from '../stream-refs.js';
import { submitWithin } from '../submit-within.js';

/** Undefined: done. A FORBIDDEN rejection refuses the call; any other rejection comes from the registry. */
export type Change = Promise<Rejection | undefined>;

export class Registries {
  readonly #deps: ServiceDependencies;
  readonly #lists = new WeakMap<PoliciesState, readonly PolicyDescriptor[]>();

  constructor(deps: ServiceDependencies) {
    this.#deps = deps;
  }

  get policiesAreReadOnly(): boolean {
    return this.#deps.policiesFromFiles;
  }

  /** Doors ask this before they look at the change, so that a caller without the capability learns nothing more. */
  forbidden(principal: Principal, action: string): Rejection | undefined {
    if (principal.canManageModeRegistry) return undefined;
    const code = RejectionCode.FORBIDDEN;
    this.#deps.audit.authorizationFailed({ actor: principal, action, code });
    return reject(code, 'this identity may not manage registries');
  }

  registerPolicy(principal: Principal, policy: NewPolicy): Change {
    return this.#changePolicies(principal, { kind: 'register', policy });
  }

  unregisterPolicy(principal: Principal, policyId: string): Change {
    return this.#changePolicies(principal, { kind: 'unregister', policyId });
  }

  async getPolicy(principal: Principal, policyId: string): Promise<PolicyDescriptor | undefined> {
    return shownPolicy(await this.#policies(principal.tenant), policyId);
  }

  async listPolicies(tenant: string, mode: string): Promise<readonly PolicyDescriptor[]> {
    return listPolicies(await this.#policies(tenant), mode);
  }

  /** All of them, as one value for as long as none changes: watches share it. */
  async allPolicies(tenant: string): Promise<readonly PolicyDescriptor[]> {
    const state = await this.#policies(tenant);
    const policies = (state && this.#lists.get(state)) ?? listPolicies(state, '');
    if (state) this.#lists.set(state, policies);
    return policies;
  }

  changeModes(principal: Principal, command: ModesCommand): Change {
    return this.#change(principal, { stream: modesRef(principal.tenant), command });
  }

  /** Built-in and promoted modes, by name. */
  async standardModes(tenant: string): Promise<readonly ModeDescriptor[]> {
    return byName(standardModes(await this.#modes(tenant)));
  }

  async extensionModes(tenant: string): Promise<readonly ModeDescriptor[]> {
    return byName(extensionModes(await this.#modes(tenant)));
  }

  #changePolicies(principal: Principal, command: PoliciesCommand): Change {
    const stream = policiesRef(principal.tenant, this.#deps.policiesFromFiles);
    return this.#change(principal, { stream, command });
  }

  async #change(principal: Principal, step: Step<'modes' | 'policies'>): Change {
    const refusal = this.forbidden(principal, `${step.stream.kind}.${step.command.kind}`);
    if (refusal) return refusal;
    const limited = rateFlaw(this.#deps, principal);
    if (limited) return limited;
    const deceptive = deceptiveName(step.command);
    if (deceptive) return deceptive;
    const bytes = JSON.stringify(step.command).length;
    const answer = await submitWithin(this.#deps, principal, RateBucket.MESSAGE, {
      agent: principal.agent,
      steps: [step],
      bytes,
    });
    return answer.ok ? undefined : answer.rejection;
  }

  async #policies(tenant: string): Promise<PoliciesState | undefined> {
    return (await this.#deps.engine.query(policiesRef(tenant, this.#deps.policiesFromFiles)))?.state;
  }

  async #modes(tenant: string): Promise<ModesState | undefined> {
    return (await this.#deps.engine.query(modesRef(tenant)))?.state;
  }
}

function byName(descriptors: readonly ModeDescriptor[]): readonly ModeDescriptor[] {
  return [...descriptors].sort((a, b) => (a.mode < b.mode ? -1 : 1));
}

/** Of a new policy or mode: it would pass for another in every list and session. What is registered keeps its name. */
function deceptiveName(command: PoliciesCommand | ModesCommand): Rejection | undefined {
  if (command.kind === 'register') {
    if ('descriptor' in command)
      return deceptive('mode', command.descriptor.mode, RejectionCode.INVALID_ENVELOPE);
    return deceptive('policy_id', command.policy.policyId, RejectionCode.INVALID_POLICY_DEFINITION);
  }
  if (command.kind === 'promote')
    return deceptive('promoted_mode_name', command.promotedName, RejectionCode.INVALID_ENVELOPE);
  return undefined;
}

/** What is no name at all is left to the registry, which says what is wrong. */
function deceptive(field: string, name: string, code: RejectionCode): Rejection | undefined {
  if (!isId(name) || isBlank(name) || !isDeceptive(name)) return undefined;
  return reject(code, `${field} has letters that cannot be seen, or a blank at an end or two in a row`);
}
