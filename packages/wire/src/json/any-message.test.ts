/** A message that no proto file of ours has: what the schema says is all that the JSON needs. */
import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import {
  FileDescriptorSetSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { messageFromJson, messageToJson } from './message-json.js';
import { parseJson } from './parse-json.js';

const SCALARS = {
  double: Type.DOUBLE,
  float: Type.FLOAT,
  int32: Type.INT32,
  int64: Type.INT64,
  uint32: Type.UINT32,
  uint64: Type.UINT64,
  sint32: Type.SINT32,
  sint64: Type.SINT64,
  fixed32: Type.FIXED32,
  fixed64: Type.FIXED64,
  sfixed32: Type.SFIXED32,
  sfixed64: Type.SFIXED64,
  bool: Type.BOOL,
  string: Type.STRING,
  bytes: Type.BYTES,
};
const names = Object.keys(SCALARS) as (keyof typeof SCALARS)[];

const entry = (name: string, key: Type, value: Type, typeName = '') => ({
  name,
  options: { mapEntry: true },
  field: [
    { name: 'key', number: 1, type: key, label: Label.OPTIONAL },
    { name: 'value', number: 2, type: value, label: Label.OPTIONAL, typeName },
  ],
});

/** Numbers run against the order of declaration, so that the order of the bytes is seen. */
const file = {
  name: 'new.proto',
  package: 'later',
  syntax: 'proto3',
  enumType: [
    {
      name: 'Colour',
      value: [
        { name: 'NONE', number: 0 },
        { name: 'RED', number: 1 },
        { name: 'BLUE', number: 2 },
      ],
    },
  ],
  messageType: [
    {
      name: 'Any',
      nestedType: [
        entry('ColoursEntry', Type.INT32, Type.ENUM, '.later.Colour'),
        entry('ChildrenEntry', Type.BOOL, Type.MESSAGE, '.later.Any'),
      ],
      oneofDecl: [{ name: '_maybe' }],
      field: [
        ...names.map((name, index) => ({
          name: `one_${name}`,
          number: 100 - index,
          type: SCALARS[name],
          label: Label.OPTIONAL,
        })),
        ...names.map((name, index) => ({
          name: `all_${name}`,
          number: 200 - index,
          type: SCALARS[name],
          label: Label.REPEATED,
        })),
        { name: 'colour', number: 1, type: Type.ENUM, typeName: '.later.Colour', label: Label.OPTIONAL },
        { name: 'rainbow', number: 2, type: Type.ENUM, typeName: '.later.Colour', label: Label.REPEATED },
        {
          name: 'colours',
          number: 3,
          type: Type.MESSAGE,
          typeName: '.later.Any.ColoursEntry',
          label: Label.REPEATED,
        },
        {
          name: 'children',
          number: 4,
          type: Type.MESSAGE,
          typeName: '.later.Any.ChildrenEntry',
          label: Label.REPEATED,
        },
        {
          name: 'maybe',
          number: 5,
          type: Type.INT32,
          label: Label.OPTIONAL,
          oneofIndex: 0,
          proto3Optional: true,
        },
        { name: 'child', number: 6, type: Type.MESSAGE, typeName: '.later.Any', label: Label.OPTIONAL },
      ],
    },
  ],
};
const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] } as never));
const schema = registry.getMessage('later.Any') as DescMessage;

function bytesOf(json: object): Uint8Array {
  const parsed = parseJson(JSON.stringify(json));
  const reading = 'value' in parsed && messageFromJson(schema, parsed.value);
  if (!reading || 'flaw' in reading) throw new Error(reading ? reading.flaw : 'not JSON');
  return reading.bytes;
}

const sample = (name: string) =>
  name === 'bool'
    ? true
    : name === 'string'
      ? 'x'
      : name === 'bytes'
        ? 'AQI='
        : name.startsWith('u') || name.startsWith('fixed')
          ? 7
          : -7;

it(`${verifies('macp-2026:16:deterministic')}any message has the bytes that protobuf-es writes`, () => {
  const json = {
    ...Object.fromEntries(names.map((name) => [`one_${name}`, sample(name)])),
    ...Object.fromEntries(names.map((name) => [`all_${name}`, [sample(name), sample(name)]])),
    colour: 'BLUE',
    rainbow: ['RED', 'BLUE', 7],
    colours: { '-1': 'RED', '2': 'BLUE' },
    children: { true: { maybe: 0 }, false: {} },
    maybe: 0,
    child: { child: { one_string: 'deep' } },
  };
  const bytes = bytesOf(json);
  const read = fromBinary(schema, bytes);
  expect(read.$unknown ?? []).toEqual([]);
  // Lists of numbers are packed and fields are in order; maps are the one thing that protobuf-es orders otherwise.
  const withoutMaps = bytesOf({ ...json, colours: {}, children: {} });
  expect(Buffer.from(withoutMaps)).toEqual(Buffer.from(toBinary(schema, fromBinary(schema, withoutMaps))));
  expect(JSON.parse(messageToJson(schema, bytes) ?? '')).toMatchObject(json);
  expect(toJson(schema, read, { useProtoFieldName: true })).toMatchObject({ maybe: 0, colour: 'BLUE' });
});

it(`${verifies('macp-2026:16:enums')}an unknown name drops its element of a list`, () => {
  const json = { rainbow: ['RED', 'GREEN', 'BLUE'], colours: { 1: 'GREEN', 2: 'RED' }, colour: 'GREEN' };
  expect(JSON.parse(messageToJson(schema, bytesOf(json)) ?? '')).toMatchObject({
    rainbow: ['RED', 'BLUE'],
    colours: { 2: 'RED' },
    colour: 'NONE',
  });
});

it(`${verifies('macp-2026:16:defaults')}an optional field is written when it is set`, () => {
  const written = (json: object) => JSON.parse(messageToJson(schema, bytesOf(json)) ?? '') as object;
  expect(written({ maybe: 0 })).toHaveProperty('maybe', 0);
  expect(written({})).not.toHaveProperty('maybe');
  expect(written({})).not.toHaveProperty('child');
  expect(written({ child: {} })).toHaveProperty('child');
  expect(written({})).toMatchObject({
    one_int64: 0,
    all_int64: [],
    colours: {},
    colour: 'NONE',
    one_bytes: '',
  });
});
