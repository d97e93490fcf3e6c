/** Requests of gRPC methods by their descriptors, as JSON that can be kept: bytes in base64, large numbers as numbers. */
import { type DescMessage, encodeMessage } from '@handover/wire';
import type { Json } from '../values/json.js';
import type { Random } from '../values/random.js';
import { text, word } from '../values/texts.js';
import { place } from './known.js';

type Field = DescMessage['fields'][number];

const RULES = [
  '{}',
  '',
  '{"commitment":{"authority":"any_participant"}}',
  '{"acceptance":{"implicit_accept_timeout_ms":50}}',
  '{"a":1}',
  '[1]',
  '{"a":1,"a":2}',
  '{',
];
const STRINGS: Readonly<Record<string, (random: Random) => string>> = {
  sessionId: (random) => place(random, 'session'),
  subscribeSessionId: (random) => place(random, 'session'),
  pageToken: (random) => (random.oneIn(2) ? '' : place(random, 'cursor')),
  policyId: (random) => random.pick(['policy.fuzz', word(random), 'policy.default', '']),
  mode: (random) => random.pick(['macp.mode.handoff.v1', 'ext.fuzz.v1', `ext.${word(random)}.v1`, '*']),
  modeVersion: () => '1.0.0',
  rules: (random) => random.pick(RULES),
  supportedProtocolVersions: () => '1.0',
  determinismClass: () => 'deterministic',
  participantModel: () => 'open',
};

export function fieldsOf(random: Random, schema: DescMessage): Json {
  const chosen = schema.fields.filter((field) => field.oneof === undefined && !random.oneIn(8));
  return Object.fromEntries(chosen.map((field) => [field.localName, anyValue(random, field)]));
}

function anyValue(random: Random, field: Field): Json {
  const one = (): Json => (field.message ? fieldsOf(random, field.message) : scalarOf(random, field));
  if (field.fieldKind === 'list') return Array.from({ length: random.size(4) }, one);
  if (field.fieldKind === 'map') return { [word(random)]: word(random) };
  return one();
}

function scalarOf(random: Random, { localName, scalar }: Field): Json {
  if (scalar === 8) return random.oneIn(2);
  if (scalar !== undefined && scalar !== 9 && scalar !== 12)
    return random.pick([0, 1, 2, 100, -1, 2 ** 31 - 1]);
  return (
    STRINGS[localName]?.(random) ??
    (random.oneIn(4) ? text(random, 300).replace(/\p{Cs}/gu, '') : word(random))
  );
}

/** Undefined when the fields are not of this message: a value out of range, for instance. */
export function bytesOfFields(schema: DescMessage, fields: Json): Uint8Array | undefined {
  try {
    return encodeMessage(schema, converted(schema, fields) as never);
  } catch {
    return undefined;
  }
}

function converted(schema: DescMessage, fields: Json): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return {};
  return Object.fromEntries(
    schema.fields
      .filter(({ localName }) => Object.hasOwn(fields, localName))
      .map((field) => {
        const value = fields[field.localName] ?? null;
        // The library walks anything with a length, also one of a thousand million, and holds up its own process by it.
        if (field.fieldKind === 'list' && !Array.isArray(value)) throw new Error('no list');
        const convert = (one: Json): unknown =>
          field.message ? converted(field.message, one) : scalar(field, one);
        return [
          field.localName,
          Array.isArray(value) ? value.map(convert) : field.fieldKind === 'map' ? value : convert(value),
        ];
      }),
  );
}

/** int64 and uint64 are 3 and 4, bytes are 12 among the scalars of protobuf. */
function scalar({ scalar: kind }: Field, value: Json): unknown {
  if ((kind === 3 || kind === 4) && typeof value === 'number') return BigInt(value);
  return kind === 12 ? Buffer.from(String(value), 'base64') : value;
}
