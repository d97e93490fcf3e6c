import type { Stamp } from '../decider.js';
import type { Draft } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import type { OperationEntryType } from './entry-type.js';

export function operationDraft(
  type: OperationEntryType,
  stamp: Stamp,
  facts: JsonObject,
  payload: Uint8Array,
): Draft {
  return { type, v: 1, actor: stamp.agent, messageId: `runtime:${type}:${stamp.seq}`, facts, payload };
}
