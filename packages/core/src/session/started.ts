/** The state that a SessionStart entry makes, from its recorded facts alone. */

import { FaultCode, HandoverError } from '../fault.js';
import { isFields } from '../fields.js';
import type { EntryHead } from '../log/entry.js';
import type { Json, JsonObject } from '../log/json.js';
import { type AnyMode, BUILT_IN_MODES, beginMode, extensionMode } from '../modes/registry.js';
import type { FrozenPolicy } from '../policy/descriptor.js';
import { descriptorFromFacts } from '../registry/mode-facts.js';
import { bindingFromFacts } from './binding.js';
import { SessionRev } from './rev.js';
import { type SessionState, SessionStatus } from './state.js';

export function startedState(entry: EntryHead): SessionState {
  const { facts } = entry;
  const mode = modeOf(facts);
  const policy = policyOf(facts.policy);
  if (!mode || !policy) throw unreadable(entry);
  return {
    id: entry.stream.id,
    rev: number(facts.rev),
    mode,
    modeVersion: text(facts.mode_version),
    configurationVersion: text(facts.configuration_version),
    policy,
    initiator: entry.actor,
    participants: texts(facts.participants),
    contextId: text(facts.context_id),
    extensionKeys: texts(facts.extension_keys),
    status: SessionStatus.Open,
    startedAt: entry.at,
    deadline: number(facts.deadline),
    maxSuspendMs: number(facts.max_suspend_ms),
    suspendedTotalMs: 0,
    activity: [],
    run: beginMode(mode, policy),
    seq: entry.seq,
    controls: [],
    ...(isFields(facts.binding) && { binding: bindingFromFacts(facts.binding) }),
  };
}

/** Extension modes are frozen into the session, so that replay never asks a registry. */
function modeOf(facts: JsonObject): AnyMode | undefined {
  if (!isFields(facts.mode_descriptor)) return BUILT_IN_MODES.get(text(facts.mode));
  const commitBy = number(facts.rev) < SessionRev.Wire2026 ? 'policy' : 'initiator';
  return extensionMode(descriptorFromFacts(facts.mode_descriptor), facts.strict === true, commitBy);
}

function policyOf(value: Json | undefined): FrozenPolicy | undefined {
  if (!isFields(value) || !isFields(value.rules)) return undefined;
  const { policy_id, mode, schema_version, rules } = value;
  return { policyId: text(policy_id), mode: text(mode), schemaVersion: number(schema_version), rules };
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((v) => typeof v === 'string') : [];

function unreadable(entry: EntryHead): HandoverError {
  const message = `the SessionStart of session ${entry.stream.id} names a mode or policy this version cannot read`;
  return new HandoverError(FaultCode.DATA_LOSS, message, { details: { session: entry.stream.id } });
}
