/**
 * A message of any schema as data, between its bytes and its JSON. The codec of the generated code is not used here: it
 * loses a map key called `__proto__`, rounds nothing but orders maps by chance, and keeps no order of its own.
 */
import type { DescField, DescMessage } from '@bufbuild/protobuf';

export type Scalar = string | number | bigint | boolean | Uint8Array;
export type Single = Scalar | Dynamic;
export type FieldValue = Single | readonly Single[] | ReadonlyMap<Scalar, Single>;

export interface Dynamic {
  readonly schema: DescMessage;
  /** What is set. A field without presence that is missing has its default. */
  readonly fields: ReadonlyMap<DescField, FieldValue>;
}

export type ListField = DescField & { readonly fieldKind: 'list' };
export type MapField = DescField & { readonly fieldKind: 'map' };
export type SingleField = DescField & { readonly fieldKind: 'scalar' | 'enum' | 'message' };
