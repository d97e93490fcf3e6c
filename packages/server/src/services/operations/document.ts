/** The JSON that an entry carries as its payload. */
import { type Codec, type Entry, isFields, type JsonObject } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { jsonLimits } from '../../config/json-limits.js';
import { parseBounded } from '../../platform/json/parse-bounded.js';

/** Whatever was stored was bounded when it came; this holds for what older versions stored, too. */
const MAX_DEPTH = 1_000;
const SMALL = jsonLimits(MAX_DEPTH, fixedLimits.documentBytes.value);

/** For a thread of its own. */
export const LARGE_DOCUMENT = {
  depth: MAX_DEPTH,
  values: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
};

/** A payload that the main thread parses; undefined: it is too large for that. An empty one is an empty object. */
export function smallDocument({ payload }: Pick<Entry, 'payload'>): JsonObject | undefined {
  if (payload.length === 0) return {};
  const parsed = parseBounded(payload, SMALL);
  if ('value' in parsed) return isFields(parsed.value) ? (parsed.value as JsonObject) : {};
  const { kind } = parsed.flaw;
  // What is no JSON at all was not written by this server; it reads as nothing.
  return kind === 'utf8' || kind === 'syntax' ? {} : undefined;
}

/** Insertion order is kept: texts that go on a chain are made from it. */
export const documentBytes = (codec: Codec, document: unknown): Uint8Array =>
  codec.utf8(JSON.stringify(document));

/** A document with one more member, whose JSON is at hand already. */
export function withMember(document: JsonObject, name: string, json: Uint8Array): Uint8Array {
  const before = JSON.stringify(document).slice(0, -1);
  const comma = before === '{' ? '' : ',';
  return Buffer.concat([Buffer.from(`${before}${comma}${JSON.stringify(name)}:`), json, Buffer.from('}')]);
}
