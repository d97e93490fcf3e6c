import { create, createRegistry, type DescMessage, type Message, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitrary } from '../../test/arbitrary.js';
import { protoFiles } from '../proto-files.js';
import { JsonInParts } from './json-in-parts.js';
import { messageToJson } from './message-json.js';

const isList = ({ fieldKind }: { readonly fieldKind: string }) => fieldKind === 'list';
const withLists = [...createRegistry(...protoFiles)]
  .filter((type) => type.kind === 'message')
  .filter(({ fields }) => fields.some(isList));

type Fields = Record<string, unknown>;

/** Each list cut at the same places: the parts, and what is left of the message. */
function parted(schema: DescMessage, message: Message, cuts: readonly number[]) {
  const fields = message as unknown as Fields;
  const lists = schema.fields.filter(isList).map(({ localName }) => localName);
  const slices = [...cuts, Number.POSITIVE_INFINITY].map((to, i) =>
    Object.fromEntries(lists.map((name) => [name, (fields[name] as unknown[]).slice(cuts[i - 1] ?? 0, to)])),
  );
  return { parts: slices.slice(0, -1), rest: { ...fields, ...slices.at(-1) } };
}

describe.each(withLists.map((schema) => [schema.typeName, schema] as const))('%s', (_, schema) => {
  it('hardening:H1 is the same text in parts and as a whole', () => {
    const cuts = fc
      .array(fc.nat({ max: 5 }), { maxLength: 4 })
      .map((places) => places.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(arbitrary(schema), cuts, (message, places) => {
        const bytesOf = (fields: object) => toBinary(schema, create(schema, fields as never));
        const { parts, rest } = parted(schema, message, places);
        const made = new JsonInParts(schema);
        for (const part of parts) made.add(bytesOf(part));
        expect([...made.pieces(bytesOf(rest))].join('')).toBe(messageToJson(schema, bytesOf(message)));
      }),
      { numRuns: 100 },
    );
  });
});
