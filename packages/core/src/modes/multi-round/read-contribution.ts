/**
 * The value of a Contribute message. Senders encode protobuf; the JSON object {"value": "..."} is read for older ones. Some
 * bytes are both: those that protobuf would write again as they are count as protobuf.
 *
 * Values are compared by their bytes. So JSON must say one value that has bytes of its own: half a surrogate pair has none, and a
 * name that stands twice says two.
 */
import type { Codec } from '../../envelope/codec.js';
import { isFields } from '../../fields.js';
import { isWellFormed } from '../../text.js';
import { multiRoundPayloads } from './payloads.js';

export function readContribution(payload: Uint8Array, codec: Codec): string | undefined {
  if (payload.length === 0) return undefined;
  const decoded = codec.decode(multiRoundPayloads.Contribute, payload);
  if (decoded && same(codec.encode(multiRoundPayloads.Contribute, decoded), payload)) return decoded.value;
  // Protobuf with fields of a newer sender is neither canonical nor JSON.
  return readJson(payload, codec) ?? decoded?.value;
}

function readJson(payload: Uint8Array, codec: Codec): string | undefined {
  const text = codec.text(payload);
  if (text === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    const value = isFields(json) && Object.hasOwn(json, 'value') ? json.value : undefined;
    return typeof value === 'string' && isWellFormed(value) && isSaidOnce(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

/** Whether `value` stands once among the names of the object itself. The text is JSON. */
function isSaidOnce(text: string): boolean {
  let depth = 0;
  let names = 0;
  for (const [token, colon] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (colon !== undefined && depth === 1 && JSON.parse(token.slice(0, -colon.length)) === 'value')
      names += 1;
  }
  return names === 1;
}
