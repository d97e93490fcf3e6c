/**
 * What this service writes into entries of a working session: canonical JSON, so that the same request is the same
 * bytes.
 */
import { type Codec, canonicalJson, isFields, type Json, type JsonObject } from '@handover/core';

export function payloadOf(value: JsonObject, codec: Codec): Uint8Array {
  return codec.utf8(canonicalJson(value));
}

/** In a registration: who registered it without a name of its own (`Unnamed.mark`). */
export const MARK_FIELD = 'unnamed';

export function markIn(payload: Uint8Array, codec: Codec): string | undefined {
  const text = codec.text(payload);
  const value: Json = text === undefined || text === '' ? {} : (JSON.parse(text) as Json);
  const mark = isFields(value) ? value[MARK_FIELD] : undefined;
  return typeof mark === 'string' ? mark : undefined;
}

/** Reads what payloadOf wrote. A payload that was erased is empty and reads as empty. */
export function parsePayload(
  payload: Uint8Array,
  codec: Codec,
): { readonly content: string; readonly metadata: JsonObject; readonly note?: JsonObject } {
  const text = codec.text(payload);
  const value: Json = text === undefined || text === '' ? {} : (JSON.parse(text) as Json);
  const { content, metadata, note } = isFields(value) ? value : {};
  return {
    content: typeof content === 'string' ? content : '',
    metadata: isFields(metadata) ? metadata : {},
    ...(isFields(note) && { note }),
  };
}
