/**
 * How the values of settings reach the fields that the server works with. A wiring is a mapped type over settings of
 * the table. It does not compile when a declared setting is not wired, when a wired name is not declared, or when the
 * target has no such field.
 */
import type { ConfigurationValue } from '@handover/core';
import type { Setting } from './setting.js';

/** What a setting holds once it is read. */
export type ValueOf<S extends Setting> = S extends { kind: 'integer' }
  ? number
  : S extends { kind: 'choice'; choices: readonly (infer Choice extends string)[] }
    ? Choice
    : string;

/** One field of the target, and how it comes from the value of the setting. */
export type Wire<Value, Target> = {
  [Field in keyof Target]: { readonly field: Field; readonly from: (value: Value) => Target[Field] };
}[keyof Target];

export type Wiring<S extends Setting, Target> = {
  readonly [One in S as One['name']]: Wire<ValueOf<One>, Target>;
};

type AnyWiring = Readonly<
  Record<string, { readonly field: string; readonly from: (value: never) => unknown }>
>;

/** The fields that a wiring fills. */
export type Wired<W extends AnyWiring> = {
  readonly [Name in keyof W as W[Name]['field']]: ReturnType<W[Name]['from']>;
};

/** Fills the fields, in the order of the wiring. `read` must give each setting a value of its kind. */
export function wired<W extends AnyWiring>(
  wiring: W,
  read: (name: keyof W & string) => ConfigurationValue | undefined,
): Wired<W> {
  const fields = Object.entries(wiring).map(([name, { field, from }]) => [field, from(read(name) as never)]);
  return Object.fromEntries(fields) as Wired<W>;
}

export function only<W extends AnyWiring, Name extends keyof W>(
  wiring: W,
  names: readonly Name[],
): Pick<W, Name> {
  return Object.fromEntries(names.map((name) => [name, wiring[name]])) as Pick<W, Name>;
}
