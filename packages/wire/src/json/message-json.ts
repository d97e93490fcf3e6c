/**
 * Any message of the protocol between its bytes and its JSON, by its schema alone: a message or an RPC that is added to
 * the proto files needs nothing here.
 */
import type { DescMessage } from '@bufbuild/protobuf';
import { decodeDynamic } from './decode-dynamic.js';
import { dynamicToJson } from './dynamic-to-json.js';
import { encodeDynamic } from './encode-dynamic.js';
import { JsonMisfit, jsonToDynamic } from './json-to-dynamic.js';
import { type JsonValue, writeJson } from './json-value.js';
import { specialReaders, specialWriters } from './special-places.js';

/** The text on one line; undefined when the bytes are not that message. */
export function messageToJson(schema: DescMessage, bytes: Uint8Array): string | undefined {
  const message = decodeDynamic(schema, bytes);
  return message && writeJson(dynamicToJson(message, specialWriters));
}

export type MessageReading =
  /** Deterministic: fields in order, defaults left out. */
  | { readonly bytes: Uint8Array }
  /** Which member, and what it must be. */
  | { readonly flaw: string };

export function messageFromJson(schema: DescMessage, value: JsonValue): MessageReading {
  try {
    return { bytes: encodeDynamic(jsonToDynamic(schema, value, specialReaders)) };
  } catch (thrown) {
    if (thrown instanceof JsonMisfit) return { flaw: thrown.message };
    throw thrown;
  }
}
