/**
 * What models write although they mean something else: null for an argument that they do not give, and one text where a
 * list of texts is declared, also one that is the JSON of such a list. Only what the schema declares is touched; free objects, where null may be a value, are not.
 */
import { isFields } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { jsonLimits } from '../../config/json-limits.js';
import { parseBounded } from '../../platform/json/parse-bounded.js';
import { argumentsAsSent } from './proto-argument.js';
import { type PublishedSchema, publishedSchema } from './published-schema.js';
import type { Tool } from './tool.js';

type Arguments = Readonly<Record<string, unknown>>;

export const lenientArguments = ({ input }: Pick<Tool, 'input'>, args: Arguments): Arguments =>
  fieldsOf(publishedSchema(input), argumentsAsSent(args));
function fieldsOf({ properties = {}, required = [] }: PublishedSchema, fields: Arguments): Arguments {
  const meant = Object.entries(fields).flatMap(([name, value]) => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (value === null && declared && !required.includes(name)) return [];
    return [[name, declared ? meantBy(declared, value) : value] as const];
  });
  // Keeps a key that is called __proto__, so that it is refused like every other unknown one.
  return Object.fromEntries(meant);
}

function meantBy(schema: PublishedSchema, value: unknown): unknown {
  if (schema.type === 'array' && schema.items?.type === 'string' && typeof value === 'string')
    return listIn(value) ?? [value];
  return schema.properties && isPlain(value) ? fieldsOf(schema, value) : value;
}

/** No list of texts has another list in it. One of more items is longer than any text that is taken for one. */
const LIST_LIMITS = { ...jsonLimits(1), bytes: fixedLimits.longTextBytes.value };

/** A list of texts that was written as JSON into a text (docs/decisions/2026-11-18-a-list-as-json-text-is-the-list.md). */
function listIn(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  const parsed = parseBounded(text, LIST_LIMITS);
  if ('flaw' in parsed) return undefined;
  const { value } = parsed;
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

/** A bundle that was checked before the tool is called is an object of its own kind. */
const isPlain = (value: unknown): value is Arguments =>
  isFields(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
