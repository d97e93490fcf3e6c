import { findPayload, HANDOFF_MODE, type PayloadKind } from '@handover/core';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import type { Json, JsonObject } from './fixture-types.js';

/** A fixture may send a payload of Handoff in another mode. */
function kindOf(messageType: string, mode: string): PayloadKind<unknown> {
  const kind = findPayload(mode, messageType) ?? findPayload(HANDOFF_MODE, messageType);
  if (!kind) throw new Error(`no payload is known for ${messageType}`);
  return kind;
}

/** Fields that a fixture gives as text. */
export const BYTES_FIELDS: ReadonlySet<string> = new Set([
  'context',
  'data',
  'details',
  'input',
  'output',
  'partial_output',
  'supporting_data',
]);

const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function value(key: string, json: Json): unknown {
  if (BYTES_FIELDS.has(key)) return codec.utf8(String(json));
  if (key === 'extensions' && json !== null)
    return Object.fromEntries(Object.entries(json).map(([name, text]) => [name, codec.utf8(String(text))]));
  if (key === 'supersedes' && json !== null)
    return Object.fromEntries(Object.entries(json).map(([name, text]) => [camel(name), text]));
  return json;
}

/** A fixture's payload (snake_case, bytes as text) as protobuf; a type that core does not know has no bytes. */
export function encodePayload(
  messageType: string,
  payload: JsonObject,
  mode: string = HANDOFF_MODE,
): Uint8Array {
  if (Object.keys(payload).length === 0 && messageType !== 'SessionStart') return new Uint8Array();
  const kind = kindOf(messageType, mode);

  const fields = Object.fromEntries(
    Object.entries(payload).map(([key, json]) => [camel(key), value(key, json)]),
  );
  return codec.encode(kind, { ...(codec.decode(kind, new Uint8Array()) as object), ...fields });
}

/** The other way round, for comparing with what a fixture expects of the history. */
export function decodedField(
  messageType: string,
  bytes: Uint8Array,
  key: string,
  mode: string = HANDOFF_MODE,
): unknown {
  const decoded = codec.decode(kindOf(messageType, mode), bytes) as Record<string, unknown> | undefined;
  const field = decoded?.[camel(key)];
  if (field instanceof Uint8Array) return codec.text(field);
  if (key !== 'extensions') return field;
  return Object.fromEntries(
    Object.entries(field as Record<string, Uint8Array>).map(([name, text]) => [name, codec.text(text)]),
  );
}
