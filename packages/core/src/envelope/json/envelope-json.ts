/**
 * The canonical JSON of an Envelope (RFC-MACP-0001 section 10).
 *
 * J1. Snake_case names; `timestamp_unix_ms` becomes `timestamp`, in RFC 3339, and nothing else is renamed.
 * J2. A payload is `payload`, an object, where Core or the mode knows its fields, else `payload_b64`; never both. Neither means an
 *     empty payload.
 * J3. Whatever is read, the answer is an envelope or INVALID_ENVELOPE with the path of the field: nothing is thrown,
 *     nothing is guessed, and only own keys at known places are looked at, so depth and prototypes cannot matter.
 * J4. Writing and then reading gives the same envelope with the same meaning of its payload. The bytes of the payload
 *     may differ: protobuf has several encodings of one message.
 */

import { FaultCode, HandoverError } from '../../fault.js';
import { type Fields, isFields } from '../../fields.js';
import type { Json, JsonObject } from '../../log/json.js';
import { findPayload, unknownPayload } from '../../modes/find-payload.js';
import { type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { Codec } from '../codec.js';
import type { Envelope } from '../envelope.js';
import type { PayloadKind } from '../payload-kind.js';
import { JsonReading, own } from './json-reading.js';
import { bytes, string, timestamp } from './kinds.js';
import { object } from './object-kind.js';
import { payloadToJson } from './payload-json.js';

type Head = Omit<Envelope, 'payload'>;

const head = object<Head>(
  {
    macpVersion: string,
    mode: string,
    messageType: string,
    messageId: string,
    sessionId: string,
    sender: string,
    timestampUnixMs: timestamp,
  },
  { timestampUnixMs: 'timestamp' },
);

/** Names that somebody may write for those that JSON has instead of the schema's. */
const MISTAKEN = [
  ['timestamp_unix_ms', 'timestamp'],
  ['payloadB64', 'payload_b64'],
] as const;

export type EnvelopeReading = { readonly envelope: Envelope } | { readonly rejection: Rejection };

export function envelopeToJson(envelope: Envelope, codec: Codec): JsonObject {
  const json = head.write(envelope, codec);
  if (json.timestamp === undefined)
    throw new HandoverError(FaultCode.INTERNAL, 'timestamp_unix_ms has no RFC 3339 form');
  return { ...json, ...payloadMember(envelope, codec) };
}

export function envelopeFromJson(value: unknown, codec: Codec): EnvelopeReading {
  if (!isFields(value)) return invalid('the envelope must be a JSON object');
  const reading = new JsonReading(codec);
  for (const [name, right] of MISTAKEN)
    if (own(value, name) !== undefined) reading.fail(name, `must be called ${right}`, undefined);
  const read = head.read(value, '', reading);
  const payload = readPayload(value, read, reading);
  return reading.flaw === undefined ? { envelope: { ...read, payload } } : invalid(reading.flaw);
}

function payloadMember({ messageType, mode, payload }: Envelope, codec: Codec): Record<string, Json> {
  const kind = findPayload(mode, messageType);
  const decoded = kind && codec.decode(kind, payload);
  return kind && decoded
    ? { payload: payloadToJson(kind, decoded, codec) }
    : { payload_b64: codec.toBase64(payload) };
}

function readPayload(record: Fields, { messageType, mode }: Head, reading: JsonReading): Uint8Array {
  const payload = own(record, 'payload');
  const base64 = own(record, 'payload_b64');
  if (payload === undefined) return bytes.read(base64, 'payload_b64', reading);
  if (base64 !== undefined) return reading.fail('payload', 'and payload_b64 exclude each other', NOTHING);
  const kind = findPayload(mode, messageType);
  if (kind && typeof payload === 'string')
    return reading.fail('payload', 'must be an object; bytes in base64 are payload_b64', NOTHING);
  if (kind) return encoded(kind, payload, reading);
  const { field, flaw } = unknownPayload(mode, messageType);
  return reading.fail(field, flaw, NOTHING);
}

function encoded<P>(kind: PayloadKind<P>, json: unknown, reading: JsonReading): Uint8Array {
  const payload = kind.json.read(json, 'payload', reading);
  return reading.flaw === undefined ? reading.codec.encode(kind, payload) : NOTHING;
}

const NOTHING = new Uint8Array(0);

function invalid(flaw: string): EnvelopeReading {
  return { rejection: reject(RejectionCode.INVALID_ENVELOPE, flaw) };
}
