/**
 * The JSON Schema of arguments and results as clients see it: what a validator needs, and nothing that only costs the
 * reader room; a type that names its dialect itself keeps it. Made once for each type.
 */
import { z } from 'zod';

export interface PublishedSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly required?: readonly string[];
  readonly items?: PublishedSchema;
}

const made = new WeakMap<z.ZodType, PublishedSchema>();

export function publishedSchema(type: z.ZodType): PublishedSchema {
  const kept = made.get(type);
  if (kept) return kept;
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // An object schema allows other properties anyway; some clients cannot read an empty `additionalProperties`.
      const { additionalProperties: rest, maximum, minimum } = jsonSchema;
      if (typeof rest === 'object' && Object.keys(rest).length === 0) delete jsonSchema.additionalProperties;
      // Every whole number of JSON is one that can be counted with; no reader needs to be told.
      if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  const { $schema: dialect } = type.meta() ?? {};
  const published = (dialect === undefined ? schema : { $schema: dialect, ...schema }) as PublishedSchema;
  made.set(type, published);
  return published;
}
