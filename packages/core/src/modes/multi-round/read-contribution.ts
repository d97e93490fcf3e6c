/**
 * The value of a Contribute message. Senders encode protobuf; the JSON object {"value": "..."} is read for older ones. Some
 * bytes are both: those that protobuf would write again as they are count as protobuf.
 */
import type { Codec } from '../../envelope/codec.js';
import { isFields } from '../../fields.js';
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
    return isFields(json) && Object.hasOwn(json, 'value') && typeof json.value === 'string'
      ? json.value
      : undefined;
  } catch {
    return undefined;
  }
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
