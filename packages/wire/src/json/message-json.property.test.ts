/** Holds the JSON of messages to protobuf-es, an independent reading of the same rules, wherever the rules are the same. */
import {
  createRegistry,
  type DescMessage,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitrary } from '../../test/arbitrary.js';
import { protoFiles } from '../proto-files.js';
import { messageFromJson, messageToJson } from './message-json.js';
import { parseJson } from './parse-json.js';

/** Those whose JSON the protocol changes, and those that hold one. */
const SPECIAL = new Set(['macp.v1.Envelope', 'macp.v1.PolicyDescriptor']);

function holdsSpecial(schema: DescMessage): boolean {
  return (
    SPECIAL.has(schema.typeName) || schema.fields.some(({ message }) => message && holdsSpecial(message))
  );
}

const registry = createRegistry(...protoFiles);
const schemas = [...registry]
  .filter((type) => type.kind === 'message')
  .filter((schema) => !holdsSpecial(schema));

/**
 * protobuf-es writes every integer of 64 bits as text; here those that a number holds are numbers. JSON.stringify loses
 * minus zero, which the tests of the rules look at.
 */
function normal(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (name, value: unknown) =>
    LONG_NAMES.has(name) && typeof value === 'string' && Number.isSafeInteger(Number(value))
      ? Number(value)
      : value,
  );
}

const ALL = { alwaysEmitImplicit: true, useProtoFieldName: true };

const LONG_NAMES = new Set(
  [...registry]
    .filter((type) => type.kind === 'message')
    .flatMap(({ fields }) => fields)
    // INT64 and UINT64
    .filter(({ scalar }) => scalar === 3 || scalar === 4)
    .map(({ name }) => name),
);

describe.each(schemas.map((schema) => [schema.typeName, schema] as const))('%s', (_, schema) => {
  it('is written as protobuf-es writes it', () => {
    fc.assert(
      fc.property(arbitrary(schema), (message) => {
        const reference = toJson(schema, message, ALL);
        const written = messageToJson(schema, toBinary(schema, message));
        expect(normal(JSON.parse(written ?? ''))).toEqual(normal(reference));
      }),
      { numRuns: 60 },
    );
  });

  it('is read as protobuf-es reads it, and what is written is read to the same bytes', () => {
    fc.assert(
      fc.property(arbitrary(schema), (message) => {
        // A Commitment that leaves out its outcome is refused.
        const form = schema.typeName.endsWith('CommitmentPayload') ? ALL : { useProtoFieldName: true };
        const text = JSON.stringify(toJson(schema, message, form));
        const parsed = parseJson(text);
        if ('flaw' in parsed) throw new Error(parsed.flaw);
        const reading = messageFromJson(schema, parsed.value);
        if ('flaw' in reading) throw new Error(reading.flaw);
        const again = parseJson(messageToJson(schema, reading.bytes) ?? '');
        expect('value' in again && messageFromJson(schema, again.value)).toEqual(reading);
        const reference = fromJson(schema, JSON.parse(text) as JsonValue);
        const written = messageToJson(schema, reading.bytes) ?? '';
        expect(normal(JSON.parse(written))).toEqual(normal(toJson(schema, reference, ALL)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('JSON', () => {
  it('is read as JSON.parse reads it, where no name comes twice', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const parsed = parseJson(text);
        expect('value' in parsed).toBe(true);
      }),
    );
  });

  it('is refused where JSON.parse refuses it', () => {
    const noise = fc.array(fc.constantFrom(...'{}[]",:0123.eE+-\\ntfu\u0000 \n'), { maxLength: 12 });
    fc.assert(
      fc.property(noise, (signs) => {
        const text = signs.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const parsed = parseJson(text);
        const refused = 'flaw' in parsed && parsed.flaw === 'is not JSON';
        expect(refused).toBe(!valid);
      }),
      { numRuns: 20_000 },
    );
  });
});
