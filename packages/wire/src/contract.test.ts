/** Pins the wire contract: every message, field number and type, written down a second time by hand. */
import { readFileSync } from 'node:fs';
import {
  createFileRegistry,
  type DescField,
  type DescMessage,
  fromBinary,
  ScalarType,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/conformance/verifies.js';
import { CONTRACT, ENUMS } from '../test/contract.js';

const repository = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url));
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, repository('schemas/macp.binpb')));
const files = [...registry.files];
const messages = files.flatMap((file) => file.messages);

function typeOf(field: DescField): string {
  const name = (scalar: ScalarType) => ScalarType[scalar].toLowerCase();
  const named = (field.message ?? field.enum)?.typeName.replace(/^macp\.v1\./, '');
  if (field.fieldKind === 'map')
    return `map<${name(field.mapKey)},${field.scalar ? name(field.scalar) : named}>`;
  const single = field.scalar === undefined ? named : name(field.scalar);
  return field.fieldKind === 'list' ? `rep ${single}` : `${single}`;
}

const written = (message: DescMessage) =>
  message.fields.map((field) => `${field.number} ${field.name} ${typeOf(field)}`);

describe('the wire contract', () => {
  it(`${verifies('macp-2026:1:fields')}has these messages and no others`, () => {
    expect(messages.map(({ typeName }) => typeName).sort()).toEqual(Object.keys(CONTRACT).sort());
  });

  it.each(Object.entries(CONTRACT))('%s has these fields', (typeName, fields) => {
    const message = registry.getMessage(typeName);
    // A field without a type in the table is a string.
    const expected = fields.map((field) => (field.split(' ').length === 2 ? `${field} string` : field));
    expect(message && written(message)).toEqual(expected);
  });

  it.each(Object.entries(ENUMS))('%s has these values', (typeName, values) => {
    expect(registry.getEnum(typeName)?.values.map(({ number, name }) => `${number} ${name}`)).toEqual(values);
  });

  it('has one oneof, the answer on a stream, one optional field, and no proto2', () => {
    const oneofs = messages.flatMap((message) =>
      message.oneofs.map((oneof) => `${message.typeName}.${oneof.name}`),
    );
    expect(oneofs).toEqual(['macp.v1.StreamSessionResponse.response']);
    const optional = messages.flatMap((message) =>
      message.fields
        .filter(({ proto }) => proto.proto3Optional)
        .map(({ name }) => `${message.typeName}.${name}`),
    );
    expect(optional).toEqual(['macp.v1.WhatIfReplayResponse.first_divergence']);
    expect(files.map(({ proto }) => proto.syntax)).toEqual(files.map(() => 'proto3'));
  });

  it('keeps the two copies of the handoff file equal', () => {
    const copy = repository('schemas/modes/handoff.proto');
    expect(copy.equals(repository('schemas/proto/macp/modes/handoff/v1/handoff.proto'))).toBe(true);
  });
});
