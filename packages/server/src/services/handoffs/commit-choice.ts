/** Under which policy a handoff is offered, and when it is final. */
import {
  ANY_MODE,
  BUILT_IN_MODES,
  Chosen,
  DEFAULT_POLICY_ID,
  findPolicy,
  HANDOFF_MODE,
  ownerMayCommit,
  type Rejection,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { policiesRef } from '../stream-refs.js';
import type { HandoffDependencies } from './dependencies.js';
import { fieldFlaw } from './field-flaw.js';
import type { Committing, RequestArgs } from './handoff-steps.js';

/** The acceptance is final unless the owner wants to commit itself, or the policy lets somebody else do it. */
export async function commitChoice(
  { engine, policiesFromFiles }: HandoffDependencies,
  { tenant, agent }: Principal,
  {
    policy: id = DEFAULT_POLICY_ID,
    autoCommit,
    targetAgent,
  }: Pick<RequestArgs, 'policy' | 'autoCommit' | 'targetAgent'>,
): Promise<Committing | Rejection> {
  const registry = (await engine.query(policiesRef(tenant, policiesFromFiles)))?.state;
  const policy = findPolicy(registry, id);
  const mode = BUILT_IN_MODES.get(HANDOFF_MODE);
  if (!policy || !mode) return fieldFlaw('policy', 'names no registered policy');
  if (policy.mode !== ANY_MODE && policy.mode !== HANDOFF_MODE)
    return fieldFlaw('policy', `governs mode ${policy.mode}, not handoffs`);
  const possible = ownerMayCommit(mode, policy, agent, targetAgent);
  if (autoCommit === undefined) return { autoCommit: possible, chosen: Chosen.Default };
  if (autoCommit && !possible)
    return fieldFlaw('autoCommit', `must be false or left out: under ${id} others commit, not you`);
  return { autoCommit, chosen: Chosen.Argument };
}
