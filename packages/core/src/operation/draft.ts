/** The entries that commands and time become. Each names the status and the effect that follow, where they change. */
import type { Stamp } from '../decider.js';
import { type Draft, type EntryHead, NO_PAYLOAD } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { runtimeMessageId } from '../log/runtime-draft.js';
import type { OperationEntryType } from './entry-type.js';
import { evolveOperation } from './evolve.js';
import { reasonOf } from './reason.js';
import { isOver, type OperationState } from './state.js';
import { Effect } from './words.js';

export function operationDraft(
  type: OperationEntryType,
  stamp: Stamp,
  facts: JsonObject,
  payload: Uint8Array = NO_PAYLOAD,
): Draft {
  return { type, v: 1, actor: stamp.agent, messageId: runtimeMessageId(type, stamp.seq), facts, payload };
}

/** For readers of the log alone; the fold does not look at what is added here. */
export function withOutcome(state: OperationState, draft: Draft, at: number): Draft {
  const after = evolveOperation(state, headOf(state, draft, at));
  const isNew =
    after.status !== state.status || after.effect !== state.effect || after.closed !== state.closed;
  const reason = reasonOf(after)?.code;
  const outcome = {
    ...(isNew && { status: after.status, effect: after.effect }),
    ...(reason !== undefined && (isNew || reason !== reasonOf(state)?.code) && { reason_code: reason }),
    ...(after.closed !== state.closed && { closed: after.closed }),
    ...(isSettled(after) && !isSettled(state) && { settled: true }),
    ...(after.issued.length > state.issued.length && { receipt: after.issued.length }),
  };
  return { ...draft, facts: { ...draft.facts, ...outcome } };
}

/** Nothing more will come of it by itself, and what moved is known. */
const isSettled = (state: OperationState): boolean =>
  isOver(state) && !state.closed && state.effect !== Effect.Unknown;

/** As much of an entry as folding needs. */
function headOf(state: OperationState, { type, v, actor, messageId, facts }: Draft, at: number): EntryHead {
  const stream = { tenant: '', kind: 'operation', id: state.id } as const;
  const hashes = { payloadHash: '', prev: '', hash: '', factsText: '' };
  return { stream, seq: state.seq + 1, at, type, v, actor, messageId, facts, ...hashes };
}
