/** A session's entries as the envelopes and controls that made them. */

import { ownerIn } from '../bound-session/ownership.js';
import { sessionDecider } from '../bound-session/session-decider.js';
import type { DecideContext } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import { CoreMessageType } from '../envelope/envelope.js';
import { checkShape } from '../envelope/shape.js';
import { isFields } from '../fields.js';
import type { Entry } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { RUNTIME_ACTOR } from '../log/runtime-draft.js';
import { type AnyMode, extensionMode } from '../modes/registry.js';
import { descriptorFromFacts } from '../registry/mode-facts.js';
import type { ModesState } from '../registry/modes.js';
import type { PoliciesState } from '../registry/policies.js';
import { bindingFromFacts } from '../session/binding.js';
import { Control, type SessionCommand } from '../session/command.js';
import type { SessionState } from '../session/state.js';
import { envelopeOfEntry } from './entry-envelope.js';
import type { Question, Replay } from './replay.js';
import { stateHash } from './state-hash.js';

export const sessionReplay: Replay<SessionState, SessionCommand> = {
  decider: sessionDecider,
  retell,
  companions,
  receiptPart: (session, codec) => ({ session, stateHash: stateHash(session, codec) }),
};

function retell(
  state: SessionState | undefined,
  entry: Entry,
  codec: Codec,
): Question<SessionState, SessionCommand> | string {
  const control = controlOf(entry, codec);
  if (typeof control === 'string') return control;
  if (control) return { state, command: control, consulted: {} };
  const envelope = envelopeOfEntry(entry);
  if (!envelope) return 'the session had not run out of time';
  // Sizes are a setting of the server; all else about an envelope's shape is the protocol's.
  const flaw = checkShape(envelope, Number.MAX_SAFE_INTEGER);
  if (flaw) return `the rules refuse it: ${flaw.code}, ${flaw.message}`;
  const { binding } = entry.facts;
  const bound = !state && isFields(binding) ? { binding: bindingFromFacts(binding) } : {};
  const rev = state ? {} : { rev: Number(entry.facts.rev) };
  const command = { kind: 'envelope', envelope, ...bound, ...rev } as const;
  return { state, command, consulted: consultedBy(state, entry) };
}

/** The owner in a bound session owned the work when its entries were written, except when the runtime cancelled. */
function companions(session: SessionState, { type, actor }: Entry): DecideContext['consulted'] {
  if (!session.binding) return {};
  const lost = type === CoreMessageType.SessionCancel && actor === RUNTIME_ACTOR;
  return { worklog: { owner: lost ? '' : ownerIn(session) } };
}

const CONTROLS = {
  [CoreMessageType.SessionCancel]: Control.Cancel,
  [CoreMessageType.SessionSuspend]: Control.Suspend,
  [CoreMessageType.SessionResume]: Control.Resume,
} as const;

function controlOf({ type, payload }: Entry, codec: Codec): SessionCommand | string | undefined {
  if (!isControlType(type)) return undefined;
  const said = codec.decode(type, payload);
  if (!said) return `payload is not a ${type}Payload`;
  return { kind: 'control', control: CONTROLS[type], reason: said.reason };
}

function isControlType(type: string): type is keyof typeof CONTROLS {
  return Object.hasOwn(CONTROLS, type);
}

/** The registries as the session froze them; a built-in mode and the default policy are code. */
function consultedBy(state: SessionState | undefined, entry: Entry): DecideContext['consulted'] {
  if (state) return { modes: only(state.mode), ...companions(state, entry) };
  const { facts } = entry;
  const { mode_descriptor: descriptor, policy } = facts;
  const mode = isFields(descriptor)
    ? extensionMode(descriptorFromFacts(descriptor), facts.strict === true)
    : undefined;
  return { ...(mode && { modes: only(mode) }), ...(isFields(policy) && { policies: frozen(policy) }) };
}

function only(mode: AnyMode): ModesState {
  const known = { mode, promoted: mode.strict, frozen: true } as const;
  return { modes: new Map([[mode.descriptor.mode, known]]), createdAt: 0 };
}

function frozen({ policy_id, mode, schema_version, rules }: JsonObject): PoliciesState {
  const policyId = String(policy_id);
  const policy = {
    policyId,
    mode: String(mode),
    description: '',
    rules: isFields(rules) ? rules : {},
    schemaVersion: Number(schema_version),
    registeredAtUnixMs: 0,
  };
  return { policies: new Map([[policyId, policy]]), createdAt: 0, isFrozen: true };
}
