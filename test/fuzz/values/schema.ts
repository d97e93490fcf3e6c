/** Values that fit a JSON Schema, as the tools of an MCP server publish them. What a schema does not say is free. */
import { type Json, json } from './json.js';
import type { Random } from './random.js';
import { text, word } from './texts.js';

export interface Schema {
  readonly type?: string;
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

/** A better value for a property of this name; undefined where the schema is all there is to know. */
export type Hint = (name: string) => Json | undefined;

export function fitting(random: Random, schema: Schema, hint: Hint, name = '', depth = 4): Json {
  const better = hint(name);
  if (better !== undefined) return better;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return fitting(random, random.pick(schema.anyOf), hint, name, depth - 1);
  switch (schema.type) {
    case 'object':
      return schema.properties ? object(random, schema, hint, depth) : { [word(random)]: json(random, 2) };
    case 'array':
      return Array.from({ length: random.size(Math.min(5, schema.maxItems ?? 5)) }, () =>
        fitting(random, schema.items ?? {}, hint, '', depth - 1),
      );
    case 'string':
      return string(random, schema);
    case 'integer':
    case 'number':
      return whole(random, schema);
    case 'boolean':
      return random.oneIn(2);
    case 'null':
      return null;
    default:
      return json(random, 2);
  }
}

function object(random: Random, { properties = {}, required = [] }: Schema, hint: Hint, depth: number): Json {
  const chosen = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (depth > 0 && random.oneIn(2)),
  );
  return Object.fromEntries(
    chosen.map(([name, schema]) => [name, fitting(random, schema, hint, name, depth - 1)]),
  );
}

function string(random: Random, { minLength = 0, maxLength = 200, pattern }: Schema): string {
  if (pattern?.includes('{40}')) return `0x${'1'.repeat(40)}`;
  const made = random.oneIn(2) ? word(random) : text(random, Math.min(maxLength, 5_000));
  return made.length < minLength ? word(random) : made;
}

function whole(
  random: Random,
  { minimum = 0, maximum = 1_000, exclusiveMinimum = minimum - 1 }: Schema,
): number {
  const least = Math.max(minimum, exclusiveMinimum + 1);
  return random.oneIn(4)
    ? random.pick([least, maximum])
    : least + random.int(Math.min(1_000, maximum - least + 1));
}
