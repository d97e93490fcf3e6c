/** The entries that commands become. Each names the status and the effect that follow, where they change. */
import type { Stamp } from '../decider.js';
import { type Draft, type EntryHead, NO_PAYLOAD } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { runtimeMessageId } from '../log/runtime-draft.js';
import type { OperationEntryType } from './entry-type.js';
import { evolveOperation } from './evolve.js';
import type { OperationState } from './state.js';

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
  const outcome = {
    ...(after.status !== state.status && { status: after.status }),
    ...(after.effect !== state.effect && { effect: after.effect }),
    ...(after.closed !== state.closed && { closed: after.closed }),
  };
  return { ...draft, facts: { ...draft.facts, ...outcome } };
}

/** As much of an entry as folding needs. */
function headOf(state: OperationState, { type, v, actor, messageId, facts }: Draft, at: number): EntryHead {
  const stream = { tenant: '', kind: 'operation', id: state.id } as const;
  const hashes = { payloadHash: '', prev: '', hash: '', factsText: '' };
  return { stream, seq: state.seq + 1, at, type, v, actor, messageId, facts, ...hashes };
}
