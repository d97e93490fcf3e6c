import type { ConfigurationEntryType } from '../configuration/entry-type.js';
import type { Stamp } from '../decider.js';
import { type Draft, NO_PAYLOAD } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { runtimeMessageId } from '../log/runtime-draft.js';
import type { ModeEntryType, PolicyEntryType } from './entry-types.js';

/**
 * An entry of a registry stream. Registries hold what administrators publish, so their whole content is facts: there
 * is no private payload to keep apart.
 */
export function registryDraft(
  type: ConfigurationEntryType | ModeEntryType | PolicyEntryType,
  stamp: Stamp,
  facts: JsonObject,
  offset = 0,
): Draft {
  const messageId = runtimeMessageId(type, stamp.seq + offset);
  return { type, v: 1, actor: stamp.agent, messageId, facts, payload: NO_PAYLOAD };
}
