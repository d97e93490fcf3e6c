/**
 * The registry of extension modes: one stream per tenant. Built-in modes are code, not entries; a log may hold a
 * registration of a name that became built in later, and the built-in mode goes before it.
 */

import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import { CoreMessageType, RUNTIME_MESSAGE_TYPES } from '../envelope/envelope.js';
import { FaultCode, HandoverError } from '../fault.js';
import { type EntryHead, StreamKind } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { knowsRules } from '../log/rev.js';
import type { ModeDescriptor } from '../modes/mode.js';
import { type AnyMode, BUILT_IN_MODES, extensionMode, STANDARD_PREFIX } from '../modes/registry.js';
import { type Rejection, RejectionCode, reject } from '../rejection.js';
import type { DeciderOf } from '../streams.js';
import { isBlank, isId } from '../text.js';
import { ModeEntryType } from './entry-types.js';
import { descriptorFromFacts, descriptorToFacts } from './mode-facts.js';
import { registryDraft } from './registry-draft.js';
import { itemBytes, MAX_MODES_BYTES, roomFlaw } from './registry-room.js';

/** What the runtime writes, and what is said outside of sessions. SessionStart and Commitment are part of every mode. */
const NO_MODES_TYPES: ReadonlySet<string> = new Set([
  ...RUNTIME_MESSAGE_TYPES,
  CoreMessageType.Signal,
  CoreMessageType.Progress,
]);

export interface RegisteredMode {
  readonly mode: AnyMode;
  /** Promoted modes are listed as standard and are strict. */
  readonly promoted: boolean;
  /** A session froze it when the name was not yet built in; replay goes by it. */
  readonly frozen?: true;
}

export interface ModesState {
  readonly modes: ReadonlyMap<string, RegisteredMode>;
  readonly createdAt: number;
}

export type ModesCommand =
  | (Recorded & { readonly kind: 'register'; readonly descriptor: ModeDescriptor })
  | (Recorded & { readonly kind: 'unregister'; readonly mode: string })
  | (Recorded & { readonly kind: 'promote'; readonly mode: string; readonly promotedName: string });

interface Recorded {
  /** It is in the log, so it was decided when fewer modes were built in. */
  readonly recorded?: boolean;
}

export function findMode(state: ModesState | undefined, id: string): AnyMode | undefined {
  const known = state?.modes.get(id);
  return known?.frozen ? known.mode : (BUILT_IN_MODES.get(id) ?? known?.mode);
}

/** Built-in standard modes and promoted ones. */
export function standardModes(state: ModesState | undefined): readonly ModeDescriptor[] {
  return [...builtIn(true), ...registered(state, true)];
}

export function extensionModes(state: ModesState | undefined): readonly ModeDescriptor[] {
  return [...builtIn(false), ...registered(state, false)];
}

function builtIn(standard: boolean): readonly ModeDescriptor[] {
  const all = [...BUILT_IN_MODES.values()].map(({ descriptor }) => descriptor);
  return all.filter(({ mode }) => mode.startsWith(STANDARD_PREFIX) === standard);
}

function registered(state: ModesState | undefined, promoted: boolean): readonly ModeDescriptor[] {
  return [...(state?.modes ?? [])]
    .filter(([id, mode]) => mode.promoted === promoted && !BUILT_IN_MODES.has(id))
    .map(([, { mode }]) => mode.descriptor);
}

/** Nobody could ever register a name with the standard prefix; all others that are built in were once free. */
function isTaken(state: ModesState | undefined, id: string, { recorded }: Recorded): boolean {
  return isBuiltIn(id, { recorded }) || state?.modes.has(id) === true;
}

function isBuiltIn(id: string, { recorded = false }: { readonly recorded?: boolean | undefined }): boolean {
  return BUILT_IN_MODES.has(id) && (!recorded || id.startsWith(STANDARD_PREFIX));
}

export const modesDecider: DeciderOf<'modes'> = {
  kind: StreamKind.Modes,
  decide: decideModes,
  evolve: knowsRules(1, evolveModes),
  due: () => undefined,
  tick: () => {
    throw new HandoverError(FaultCode.INTERNAL, 'the mode registry has no timers');
  },
  listingChanged: (before) => before === undefined,
  listing: (state) => ({ state: 'ACTIVE', createdAt: state.createdAt, summary: {} }),
  involved: () => [],
};

const refuse = (message: string): Decision => rejected(invalid(message));
const invalid = (message: string): Rejection => reject(RejectionCode.INVALID_ENVELOPE, message);

function decideModes(state: ModesState | undefined, command: ModesCommand, stamp: Stamp): Decision {
  switch (command.kind) {
    case 'register': {
      const flaw =
        descriptorFlaw(command.descriptor) ?? (command.recorded ? undefined : newFlaw(command.descriptor));
      if (flaw) return refuse(flaw);
      if (isTaken(state, command.descriptor.mode, command))
        return refuse(`mode ${command.descriptor.mode} is already registered`);
      const facts = { descriptor: descriptorToFacts(command.descriptor) };
      const full = command.recorded ? undefined : roomFlaw(heldBy(state), itemBytes(facts), MAX_MODES_BYTES);
      if (full) return refuse(full);
      return accepted(registryDraft(ModeEntryType.Registered, stamp, facts));
    }
    case 'unregister': {
      if (isBuiltIn(command.mode, command)) return refuse(`mode ${command.mode} is built in`);
      const known = state?.modes.get(command.mode);
      if (!known) return refuse('mode is not registered');
      if (known.promoted) return refuse(`mode ${command.mode} is standards-track and cannot be unregistered`);
      return accepted(registryDraft(ModeEntryType.Unregistered, stamp, { mode: command.mode }));
    }
    case 'promote':
      return decidePromote(state, command, stamp);
  }
}

function decidePromote(
  state: ModesState | undefined,
  command: Extract<ModesCommand, { kind: 'promote' }>,
  stamp: Stamp,
): Decision {
  const { mode, promotedName } = command;
  if (isBuiltIn(mode, command)) return refuse(`mode ${mode} is already standards-track`);
  const known = state?.modes.get(mode);
  if (!known) return refuse('mode is not registered');
  if (known.promoted) return refuse(`mode ${mode} is already standards-track`);
  const name = promotedName === '' ? mode : promotedName;
  if (isBlank(name) || !isId(name))
    return refuse('promoted_mode_name must be 1 to 256 bytes without control characters');
  if (name.startsWith(STANDARD_PREFIX)) return refuse(`names beginning with ${STANDARD_PREFIX} are reserved`);
  if (name !== mode && isTaken(state, name, command)) return refuse(`mode ${name} is already registered`);
  return accepted(registryDraft(ModeEntryType.Promoted, stamp, { mode, promoted: name }));
}

function descriptorFlaw(descriptor: ModeDescriptor): string | undefined {
  const { mode, modeVersion, messageTypes, terminalMessageTypes } = descriptor;
  if (isBlank(mode) || !isId(mode)) return 'mode must be 1 to 256 bytes without control characters';
  if (mode.startsWith(STANDARD_PREFIX))
    return `mode may not begin with ${STANDARD_PREFIX}: those names are reserved`;
  if (messageTypes.length === 0) return 'message_types is empty';
  if (!messageTypes.every(isId))
    return 'message_types has a name that is empty, too long or has control characters';
  if (isBlank(modeVersion) || !isId(modeVersion))
    return 'mode_version must be 1 to 256 bytes without control characters';
  if (terminalMessageTypes.length === 0) return 'terminal_message_types is empty';
  if (terminalMessageTypes.some((type) => type !== CoreMessageType.Commitment))
    return 'terminal_message_types may only hold Commitment';
  if (!messageTypes.includes(CoreMessageType.Commitment))
    return 'message_types must include Commitment, its terminal type';
  return undefined;
}

function heldBy(state: ModesState | undefined): { readonly count: number; readonly bytes: number } {
  const all = [...(state?.modes.values() ?? [])].map(({ mode }) =>
    itemBytes(descriptorToFacts(mode.descriptor)),
  );
  return { count: all.length, bytes: all.reduce((sum, bytes) => sum + bytes, 0) };
}

/** Asked of new registrations alone: a log may hold what was taken before. */
function newFlaw({ messageTypes }: ModeDescriptor): string | undefined {
  const foreign = messageTypes.find((type) => NO_MODES_TYPES.has(type));
  return foreign === undefined
    ? undefined
    : `message_types may not list ${foreign}: it is no message of a mode`;
}

function evolveModes(state: ModesState | undefined, entry: EntryHead): ModesState {
  const modes = new Map(state?.modes);
  const { descriptor, mode, promoted } = entry.facts;
  switch (entry.type) {
    case ModeEntryType.Registered: {
      const read = descriptorFromFacts(descriptor as JsonObject);
      modes.set(read.mode, { mode: extensionMode(read, false), promoted: false });
      break;
    }
    case ModeEntryType.Unregistered:
      modes.delete(String(mode));
      break;
    case ModeEntryType.Promoted: {
      const known = modes.get(String(mode));
      modes.delete(String(mode));
      if (known) {
        const renamed = { ...known.mode.descriptor, mode: String(promoted) };
        modes.set(renamed.mode, { mode: extensionMode(renamed, true), promoted: true });
      }
      break;
    }
    default:
      throw new HandoverError(
        FaultCode.DATA_LOSS,
        `mode registry entry ${entry.seq} has unknown type ${entry.type}`,
      );
  }
  return { modes, createdAt: state?.createdAt ?? entry.at };
}
