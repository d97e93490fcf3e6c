/** The JSON that an entry carries as its payload. */
import { type Codec, type Entry, isFields, type JsonObject } from '@handover/core';

/** An empty payload is an empty object. */
export function documentOf({ payload }: Pick<Entry, 'payload'>, codec: Codec): JsonObject {
  if (payload.length === 0) return {};
  const value: unknown = JSON.parse(codec.text(payload) ?? '{}');
  return isFields(value) ? (value as JsonObject) : {};
}

/** Insertion order is kept: texts that go on a chain are made from it. */
export const documentBytes = (codec: Codec, document: unknown): Uint8Array =>
  codec.utf8(JSON.stringify(document));
