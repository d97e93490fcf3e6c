/**
 * The places where JSON says other things than the schema: the time of an Envelope, its payload, the rules of a policy,
 * and the outcome of a Commitment.
 *
 * P1. `timestamp`, in RFC 3339, stands for timestamp_unix_ms.
 * P2. `payload` is the payload message as JSON, `payload_b64` its bytes; exactly one of them is there. The JSON is written
 *     only where the bytes are exactly what reading it gives back.
 * P3. `rules` is an object; text that is no JSON object stays text.
 * P4. `outcome_positive` is there: its absence would be taken for a decision.
 * P5. `policy_id` is not ignored where `policy_version` is not there, nor `final` of a Reject without `terminal`.
 */

import type { DescField, DescMessage } from '@bufbuild/protobuf';
import {
  END_NAMES,
  FaultCode,
  formatTimestamp,
  HandoverError,
  POLICY_NAMES,
  parseTimestamp,
  unknownPayload,
} from '@handover/core';
import { fromBase64, toBase64 } from '../base64.js';
import { decodePlain } from './decode-dynamic.js';
import type { Dynamic, FieldValue, Scalar } from './dynamic.js';
import { dynamicToJson, type SpecialWriter, type SpecialWriters } from './dynamic-to-json.js';
import { encodeDynamic } from './encode-dynamic.js';
import {
  JsonMisfit,
  jsonToDynamic,
  type SpecialReader,
  type SpecialReaders,
  within,
} from './json-to-dynamic.js';
import { isMembers, type JsonMembers, type JsonValue, writeJson } from './json-value.js';
import { parseJson } from './parse-json.js';
import { payloadSchema } from './payload-schema.js';

const ENVELOPE = 'macp.v1.Envelope';
const POLICY = 'macp.v1.PolicyDescriptor';
const START = 'macp.v1.SessionStartPayload';
const REJECT = 'macp.modes.proposal.v1.RejectPayload';
const COMMITMENT = 'macp.v1.CommitmentPayload';
const NOTHING = new Uint8Array(0);

const writeEnvelope: SpecialWriter = (message, members) => {
  members.delete('timestamp_unix_ms');
  members.delete('payload');
  members.set('timestamp', timeText(Number(scalar(message, 'timestamp_unix_ms') ?? 0)));
  const payload = scalar(message, 'payload');
  const bytes = payload instanceof Uint8Array ? payload : NOTHING;
  const schema = payloadSchema(text(message, 'mode'), text(message, 'message_type'));
  const decoded = schema && exactly(schema, bytes);
  if (decoded) members.set('payload', dynamicToJson(decoded, writers));
  else members.set('payload_b64', toBase64(bytes));
};

const writePolicy: SpecialWriter = (message, members) => {
  const rules = text(message, 'rules');
  const parsed = rules === '' ? undefined : parseJson(rules);
  if (parsed && 'value' in parsed && isMembers(parsed.value)) members.set('rules', parsed.value);
};

const writers: SpecialWriters = new Map([
  [ENVELOPE, writeEnvelope],
  [POLICY, writePolicy],
]);

const envelopeReader: SpecialReader = {
  instead: new Set(['timestamp_unix_ms', 'payload']),
  mistaken: new Map([
    ['timestamp_unix_ms', 'timestamp'],
    ['timestampUnixMs', 'timestamp'],
    ['payloadB64', 'payload_b64'],
  ]),
  read(schema, members, path, fields) {
    fields.set(named(schema, 'timestamp_unix_ms'), BigInt(readTime(members, within(path, 'timestamp'))));
    fields.set(named(schema, 'payload'), readPayload(schema, members, path, fields));
  },
};

const policyReader: SpecialReader = {
  instead: new Set(['rules']),
  read(schema, members, path, fields) {
    const rules = members.get('rules') ?? null;
    if (rules === null) return;
    const place = within(path, 'rules');
    if (typeof rules !== 'string' && !isMembers(rules))
      throw new JsonMisfit(place, 'must be an object or text');
    fields.set(named(schema, 'rules'), isMembers(rules) ? writeJson(rules) : rules);
  },
};

const startReader: SpecialReader = { instead: new Set(), otherWords: POLICY_NAMES, read() {} };
const rejectReader: SpecialReader = { instead: new Set(), otherWords: END_NAMES, read() {} };

const commitmentReader: SpecialReader = {
  instead: new Set(),
  otherWords: POLICY_NAMES,
  read(_schema, members, path) {
    if ((members.get('outcome_positive') ?? null) === null)
      throw new JsonMisfit(within(path, 'outcome_positive'), 'must be given as true or false');
  },
};

const readers: SpecialReaders = new Map([
  [ENVELOPE, envelopeReader],
  [POLICY, policyReader],
  [COMMITMENT, commitmentReader],
  [START, startReader],
  [REJECT, rejectReader],
]);

function readTime(members: JsonMembers, path: string): number {
  const value = members.get('timestamp') ?? null;
  if (value === null) return 0;
  const ms = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (ms === undefined)
    throw new JsonMisfit(path, 'must be an RFC 3339 time between 1970 and the end of year 9999');
  return ms;
}

function readPayload(
  schema: DescMessage,
  members: JsonMembers,
  path: string,
  fields: ReadonlyMap<DescField, FieldValue>,
): Uint8Array {
  const json = members.get('payload') ?? null;
  const base64 = members.get('payload_b64') ?? null;
  const place = within(path, 'payload');
  if ((json === null) === (base64 === null))
    throw new JsonMisfit(
      place,
      json === null ? 'or payload_b64 must be there' : 'and payload_b64 exclude each other',
    );
  if (base64 !== null) return readBase64(base64, within(path, 'payload_b64'));
  const message = { schema, fields };
  const [mode, type] = [text(message, 'mode'), text(message, 'message_type')];
  const payload = payloadSchema(mode, type);
  if (!payload) {
    const { field, flaw } = unknownPayload(mode, type);
    throw new JsonMisfit(within(path, field), flaw);
  }
  if (typeof json === 'string')
    throw new JsonMisfit(place, 'must be an object; bytes in base64 are payload_b64');
  return encodeDynamic(jsonToDynamic(payload, json, readers, place));
}

function readBase64(value: JsonValue, path: string): Uint8Array {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined;
  if (!bytes) throw new JsonMisfit(path, 'must be base64');
  return bytes;
}

/** The payload, if its bytes are those that its JSON would be encoded to. */
function exactly(schema: DescMessage, bytes: Uint8Array): Dynamic | undefined {
  const decoded = decodePlain(schema, bytes);
  return decoded && isSame(encodeDynamic(decoded), bytes) ? decoded : undefined;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function timeText(ms: number): string {
  const time = formatTimestamp(ms);
  if (time === undefined)
    throw new HandoverError(FaultCode.INTERNAL, 'timestamp_unix_ms has no RFC 3339 form');
  return time.replace('.000Z', 'Z');
}

function scalar({ schema, fields }: Dynamic, name: string): Scalar | undefined {
  return fields.get(named(schema, name)) as Scalar | undefined;
}

function text(message: Dynamic, name: string): string {
  const value = scalar(message, name);
  return typeof value === 'string' ? value : '';
}

function named(schema: DescMessage, name: string): DescField {
  const field = schema.fields.find((one) => one.name === name);
  if (!field) throw new HandoverError(FaultCode.INTERNAL, `${schema.typeName} has no field ${name}`);
  return field;
}

export { readers as specialReaders, writers as specialWriters };
