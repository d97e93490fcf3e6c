import {
  create,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import fc from 'fast-check';

const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '7'));
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 300 }));

/** Messages of any schema of ours, with values that core can hold. */
export function arbitrary(schema: DescMessage): fc.Arbitrary<Message> {
  const fields = Object.fromEntries(
    schema.fields
      .filter((field) => field.oneof === undefined)
      .map((field) => [field.localName, value(field)]),
  );
  const oneofs = Object.fromEntries(
    schema.oneofs.map((oneof) => [
      oneof.localName,
      fc.oneof(
        fc.constant({ case: undefined }),
        ...oneof.fields.map((field) =>
          fc.record({ case: fc.constant(field.localName), value: value(field, false) }),
        ),
      ),
    ]),
  );
  return fc.record({ ...fields, ...oneofs }).map((init) => create(schema, init as never));
}

function value(field: DescField, optional = true): fc.Arbitrary<unknown> {
  if (field.fieldKind === 'list') {
    const item: fc.Arbitrary<unknown> = field.message === undefined ? text : arbitrary(field.message);
    return fc.array(item, { maxLength: 5 });
  }
  if (field.fieldKind === 'map') {
    const item: fc.Arbitrary<unknown> = field.scalar === ScalarType.STRING ? text : fc.uint8Array();
    return fc.dictionary(key, item, { maxKeys: 4 });
  }
  if (field.fieldKind === 'message') {
    return optional ? fc.option(arbitrary(field.message), { nil: undefined }) : arbitrary(field.message);
  }
  if (field.fieldKind === 'enum') return fc.integer({ min: 0, max: 5 });
  if (field.scalar === ScalarType.BYTES) return fc.uint8Array({ maxLength: 300 });
  if (field.scalar === ScalarType.BOOL) return fc.boolean();
  if (field.scalar === ScalarType.DOUBLE) return fc.double();
  if (field.scalar === ScalarType.INT64) return fc.maxSafeInteger().map(BigInt);
  if (field.scalar === ScalarType.UINT64) return fc.maxSafeNat().map(BigInt);
  if (field.scalar === ScalarType.INT32) return fc.integer();
  if (field.scalar === ScalarType.UINT32) return fc.nat();
  return text;
}

const change = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), byte: fc.constant(0) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(), byte: fc.constant(0) }),
  fc.record({ kind: fc.constant('repeat' as const), at: fc.nat(), byte: fc.constant(0) }),
);

/** Bytes that once were a message of the schema, or never were. */
export function damaged(schema: DescMessage): fc.Arbitrary<Uint8Array> {
  const spoilt = fc.tuple(arbitrary(schema), fc.array(change, { maxLength: 4 })).map(([message, changes]) => {
    const bytes = [...toBinary(schema, message)];
    for (const { kind, at, byte } of changes) {
      const index = bytes.length === 0 ? 0 : at % bytes.length;
      if (kind === 'set') bytes[index] = byte;
      else if (kind === 'cut') bytes.splice(index);
      else if (kind === 'insert') bytes.splice(index, 0, byte);
      else if (kind === 'remove') bytes.splice(index, 1);
      else bytes.push(...bytes.slice(index));
    }
    return Uint8Array.from(bytes);
  });
  // Small field numbers and lengths reach further into the reader than uniform noise.
  const noise = fc.array(fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 255 })), {
    maxLength: 40,
  });
  return fc.oneof(
    spoilt,
    noise.map((bytes) => Uint8Array.from(bytes)),
  );
}
