/** Entries of the registries as the changes that made them. */

import { isFields } from '../fields.js';
import type { Entry } from '../log/entry.js';
import { recordedRulesRev } from '../policy/rules-rev.js';
import { ModeEntryType, PolicyEntryType } from '../registry/entry-types.js';
import { descriptorFromFacts } from '../registry/mode-facts.js';
import { type ModesCommand, type ModesState, modesDecider } from '../registry/modes.js';
import { type PoliciesCommand, type PoliciesState, policiesDecider } from '../registry/policies.js';
import type { Question, Replay } from './replay.js';

export const policiesReplay: Replay<PoliciesState, PoliciesCommand> = {
  decider: policiesDecider,
  retell(state, { type, facts }): Question<PoliciesState, PoliciesCommand> | string {
    const policyId = String(facts.policy_id);
    if (type === PolicyEntryType.Unregistered)
      return { state, command: { kind: 'unregister', policyId }, consulted: {} };
    if (type !== PolicyEntryType.Registered) return unknownType(type);
    if (!isFields(facts.rules)) return 'facts.rules is not an object';
    const policy = {
      policyId,
      mode: String(facts.mode),
      description: String(facts.description),
      rules: facts.rules,
      schemaVersion: Number(facts.schema_version),
    };
    const rev = recordedRulesRev(facts.rev);
    return { state: without(state, policyId), command: { kind: 'register', policy, rev }, consulted: {} };
  },
};

/** A directory of policies may record changed rules under an id that is registered; a client may not. */
function without(state: PoliciesState | undefined, policyId: string): PoliciesState | undefined {
  if (!state?.policies.has(policyId)) return state;
  const policies = new Map(state.policies);
  policies.delete(policyId);
  return { ...state, policies };
}

export const modesReplay: Replay<ModesState, ModesCommand> = {
  decider: modesDecider,
  retell(state, entry): Question<ModesState, ModesCommand> | string {
    const command = modesCommand(entry);
    if (typeof command === 'string') return command;
    return { state, command: { ...command, recorded: true }, consulted: {} };
  },
};

function modesCommand({ type, facts }: Entry): ModesCommand | string {
  const mode = String(facts.mode);
  switch (type) {
    case ModeEntryType.Registered:
      if (!isFields(facts.descriptor)) return 'facts.descriptor is not an object';
      return { kind: 'register', descriptor: descriptorFromFacts(facts.descriptor) };
    case ModeEntryType.Unregistered:
      return { kind: 'unregister', mode };
    case ModeEntryType.Promoted:
      return { kind: 'promote', mode, promotedName: String(facts.promoted) };
    default:
      return unknownType(type);
  }
}

const unknownType = (type: string): string => `type ${type} is unknown to this version`;
