/**
 * The state of a recorded stream, and one hash for it.
 *
 * A session has a published hash. Of every other kind it is SHA-256 of the canonical JSON of the whole state and of the
 * time at which its next tick is due. A state may get other fields later; then `plainState` shows the same as before for
 * every recorded history.
 */
import {
  type Codec,
  canonicalJson,
  carrierDecider,
  configurationDecider,
  type EntryHead,
  type Json,
  type ModesState,
  modesDecider,
  operationDecider,
  type PoliciesState,
  policiesDecider,
  type SessionState,
  type StreamKind,
  type StreamRef,
  sessionDecider,
  stateHash,
  type WorklogState,
  worklogDecider,
} from '@handover/core';
import type { OperationState as Rev1State } from '../../packages/core/src/operation/rev1/state.js';
import { rev1Due } from '../../packages/core/src/operation/rev1/tick.js';

interface Folding {
  evolve(state: unknown, entry: EntryHead): unknown;
  due(state: unknown): number | undefined;
}

// A fold only ever receives the state that it made itself.
const erase = (decider: object): Folding => decider as Folding;

const DECIDERS: Readonly<Record<StreamKind, Folding>> = {
  session: erase(sessionDecider),
  worklog: erase(worklogDecider),
  operation: erase(operationDecider),
  carrier: erase(carrierDecider),
  policies: erase(policiesDecider),
  modes: erase(modesDecider),
  configuration: erase(configurationDecider),
};

/** The state after each entry. */
export function foldedStates<State>({ kind }: StreamRef, entries: readonly EntryHead[]): readonly State[] {
  let state: unknown;
  return entries.map((entry) => {
    state = DECIDERS[kind].evolve(state, entry);
    return state as State;
  });
}

export function foldedHash(ref: StreamRef, entries: readonly EntryHead[], codec: Codec): string {
  const state = foldedStates(ref, entries).at(-1);
  if (ref.kind === 'session') return stateHash(state as SessionState, codec);
  const due = (isOfRev1(state) ? rev1Due(state) : DECIDERS[ref.kind].due(state)) ?? null;
  const shown = canonicalJson({ kind: ref.kind, due, state: plainState(ref.kind, state) });
  return codec.sha256(codec.utf8(`handover-history/1:${shown}`));
}

/** An operation that nothing was added to since 0.1.0: the rules of then say when it is due. */
export const isOfRev1 = (state: unknown): state is Rev1State & { readonly rev: 1 } =>
  typeof state === 'object' && state !== null && 'rev' in state && state.rev === 1;

function plainState(kind: StreamKind, state: unknown): Json {
  if (isOfRev1(state)) {
    const { rev: _rev, ...recorded } = state;
    return plain(recorded);
  }
  if (kind === 'worklog') {
    // Logs have these, and the first ones were pinned without them. Replay judges take-overs by the time, nothing by the taker.
    // By what was transferred, captured and left, and by who wrote, goes what may be read and is shown; nothing is decided by it.
    const {
      ownerActiveAt: _at,
      lastTaker: _taker,
      transfers: _sent,
      capturedSequence: _captured,
      authors: _authors,
      leftUntil: _left,
      ...recorded
    } = state as WorklogState;
    return plain(recorded);
  }
  if (kind === 'policies') {
    // Counted from the policies, which stand beside it.
    const { bytes: _bytes, ...recorded } = state as PoliciesState;
    return plain(recorded);
  }
  return kind === 'modes' ? plainModes(state as ModesState) : plain(state);
}

/** A mode is code; what the registry says of it is its descriptor and two flags. */
function plainModes({ modes, createdAt }: ModesState): Json {
  const shown = [...modes].map(([name, { mode, promoted }]) => [
    name,
    { descriptor: plain(mode.descriptor), strict: mode.strict, promoted },
  ]);
  return { createdAt, modes: Object.fromEntries(shown) as Json };
}

/** Maps as lists of pairs and sets as lists, in their own order; a member that is undefined is not there. */
function plain(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof Map) return { map: plain([...value]) };
  if (value instanceof Set) return { set: plain([...value]) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object')
    throw new Error(`a state holds a ${typeof value}, which has no canonical form`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, plain(member)]));
}
