import type { Stamp } from '../decider.js';
import type { Draft } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { runtimeMessageId } from '../log/runtime-draft.js';
import type { WorklogEntryType } from './entry-type.js';

/** An entry of a working session by whoever asked for it. */
export function draft(type: WorklogEntryType, stamp: Stamp, facts: JsonObject, payload: Uint8Array): Draft {
  const messageId = stamp.messageId ?? runtimeMessageId(type, stamp.seq);
  return { type, v: 1, actor: stamp.agent, messageId, facts, payload };
}
