/** The rules of a mode's policies, from their JSON Schema. */
import { readFileSync } from 'node:fs';
import { codeCell, table, textCell } from '../tables.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly enum?: readonly string[];
  readonly const?: Json;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

export interface Rule {
  /** `voting.quorum.type`. */
  readonly path: string;
  readonly values: string;
  readonly default: Json | undefined;
  readonly meaning: string;
}

export function rulesIn(file: string): readonly Rule[] {
  const schema = JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')) as Schema;
  return rulesOf(schema, schema.$defs ?? {}, '');
}

export function rulesTable(rules: readonly Rule[]): string {
  return table(
    ['rule', 'values', 'default', 'meaning'],
    rules.map(({ path, values, default: left, meaning }) => [
      codeCell(path),
      textCell(values),
      left === undefined ? '' : codeCell(typeof left === 'string' ? left : JSON.stringify(left)),
      textCell(meaning),
    ]),
  );
}

function rulesOf(schema: Schema, defs: Readonly<Record<string, Schema>>, prefix: string): readonly Rule[] {
  const conditions = [...(schema.allOf ?? []), ...(schema.if ? [schema] : [])];
  return Object.entries(schema.properties ?? {}).flatMap(([name, written]) => {
    const one = resolved(written, defs);
    const path = prefix + name;
    if (one.properties) return rulesOf(one, defs, `${path}.`);
    const values = [valuesOf(one, defs), ...conditions.flatMap((each) => conditionOn(name, each))];
    return [{ path, values: values.join('; '), default: one.default, meaning: one.description ?? '' }];
  });
}

const resolved = (schema: Schema, defs: Readonly<Record<string, Schema>>): Schema =>
  schema.$ref === undefined ? schema : { ...defs[schema.$ref.replace('#/$defs/', '')], ...schema };

function valuesOf(schema: Schema, defs: Readonly<Record<string, Schema>>): string {
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(', ');
  switch (schema.type) {
    case 'boolean':
      return '`true`, `false`';
    case 'array':
      return 'a list of ids';
    case 'object': {
      const { additionalProperties: each } = schema;
      return `an object of ${typeof each === 'object' ? `numbers ${rangeOf(resolved(each, defs))}` : 'anything'}`;
    }
    default:
      return `${schema.type === 'integer' ? 'a whole number' : 'a number'} ${rangeOf(schema)}`.trim();
  }
}

function rangeOf({ minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  const from =
    exclusiveMinimum !== undefined
      ? `above ${exclusiveMinimum}`
      : minimum === undefined
        ? ''
        : maximum === Number.MAX_SAFE_INTEGER
          ? `of ${minimum} or more`
          : `from ${minimum}`;
  if (maximum === Number.MAX_SAFE_INTEGER) return from;
  if (from === '') return `at most ${maximum}`;
  return exclusiveMinimum !== undefined ? `${from}, at most ${maximum}` : `${from} to ${maximum}`;
}

/** What another rule's value asks of this one. */
function conditionOn(name: string, { if: when, then }: Schema): readonly string[] {
  const [[other, { const: word }] = ['', {} as Schema]] = Object.entries(when?.properties ?? {});
  const asked = then?.properties?.[name];
  const range = asked && asked.type !== 'array' ? rangeOf(asked).replace(/^of /, '') : '';
  const needed = then?.required?.includes(name) ? ['must be there'] : [];
  const words = [...needed, ...(range === '' ? [] : [range])];
  return words.length === 0 ? [] : [`with ${other} \`${String(word)}\` ${words.join(', ')}`];
}
