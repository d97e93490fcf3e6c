/** Entries whose message id nobody chose, and those that nobody asked for: time has passed. */
import { type Draft, NO_PAYLOAD } from './entry.js';

/** The runtime's own name on entries that nobody asked for. */
export const RUNTIME_ACTOR = '_runtime';

/** Who runs the server. No agent can have this name; it lets work move whose owner is silent. */
export const OPERATOR = 'operator';

/** No sender may choose an id that begins with it. */
export const RESERVED_MESSAGE_ID_PREFIX = 'runtime:';

/** Each number of a stream is used once, so the id is unique in it. */
export const runtimeMessageId = (type: string, seq: number): string =>
  `${RESERVED_MESSAGE_ID_PREFIX}${type}:${seq}`;

/** What time alone brings about; `seq` is the number that the entry will have. */
export function runtimeDraft(type: string, seq: number, at: number): Draft {
  const messageId = runtimeMessageId(type, seq);
  return { type, v: 1, actor: RUNTIME_ACTOR, messageId, facts: {}, payload: NO_PAYLOAD, at };
}
