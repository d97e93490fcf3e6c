import type { Stamp } from '../decider.js';
import type { Draft } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { runtimeMessageId } from '../log/runtime-draft.js';
import type { OperationEntryType } from './entry-type.js';

export function operationDraft(
  type: OperationEntryType,
  stamp: Stamp,
  facts: JsonObject,
  payload: Uint8Array,
): Draft {
  return { type, v: 1, actor: stamp.agent, messageId: runtimeMessageId(type, stamp.seq), facts, payload };
}
