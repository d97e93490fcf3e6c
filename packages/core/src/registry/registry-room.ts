/** How much a registry holds: whoever reads it gets all of it, and so does everybody who watches it, after each change. */
import { canonicalJson, type JsonObject } from '../log/json.js';
import { utf8Length } from '../text.js';

export const MAX_REGISTERED = 1_000;
export const MAX_POLICIES_BYTES = 4_194_304;
export const MAX_MODES_BYTES = 1_048_576;

/** What an item costs besides its texts. */
const ITEM_BYTES = 256;

export const itemBytes = (facts: JsonObject): number => utf8Length(canonicalJson(facts)) + ITEM_BYTES;

/** Why nothing more can be registered. What is recorded already stays, however much it is. */
export function roomFlaw(
  held: { readonly count: number; readonly bytes: number },
  bytes: number,
  most: number,
): string | undefined {
  if (held.count >= MAX_REGISTERED)
    return `${MAX_REGISTERED} are registered, which is as many as there may be; unregister one first`;
  if (held.bytes + bytes > most)
    return `what is registered may have ${most} bytes in all, and has ${held.bytes} without this; unregister something first`;
  return undefined;
}
