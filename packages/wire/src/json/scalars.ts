/** Each scalar type of protobuf: its form on the wire and in JSON. The schemas choose by number, so none is missing. */

import { ScalarType } from '@bufbuild/protobuf';
import { type BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { isWellFormed } from '@handover/core';
import { fromBase64, toBase64 } from '../base64.js';
import type { Scalar } from './dynamic.js';
import { integerOf, numberOf } from './json-numbers.js';
import { JsonNumber, type JsonValue } from './json-value.js';

export interface ScalarForm<V extends Scalar = Scalar> {
  readonly wireType: WireType;
  readonly zero: V;
  isZero(value: V): boolean;
  read(reader: BinaryReader): V;
  write(writer: BinaryWriter, value: V): void;
  toJson(value: V): JsonValue;
  /** Undefined: it is none. */
  fromJson(value: JsonValue): V | undefined;
  /** What it must be, for a refusal. */
  readonly what: string;
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

function integer<V extends number | bigint>(
  wireType: WireType,
  [least, most]: readonly [bigint, bigint],
  form: {
    of(value: bigint): V;
    read(reader: BinaryReader): V;
    write(writer: BinaryWriter, value: V): void;
  },
): ScalarForm<V> {
  return {
    wireType,
    zero: form.of(0n),
    isZero: (value) => BigInt(value) === 0n,
    read: form.read,
    write: form.write,
    toJson(value) {
      const whole = BigInt(value);
      return whole > SAFE || whole < -SAFE ? String(whole) : new JsonNumber(String(whole));
    },
    fromJson(value) {
      const whole = integerOf(value);
      return whole === undefined || whole < least || whole > most ? undefined : form.of(whole);
    },
    what: 'must be a whole number in range, as a number or in decimal digits',
  };
}

const INT32: readonly [bigint, bigint] = [-(2n ** 31n), 2n ** 31n - 1n];
const UINT32: readonly [bigint, bigint] = [0n, 2n ** 32n - 1n];
const INT64: readonly [bigint, bigint] = [-(2n ** 63n), 2n ** 63n - 1n];
const UINT64: readonly [bigint, bigint] = [0n, 2n ** 64n - 1n];

function floating(
  wireType: WireType,
  most: number,
  form: { read(reader: BinaryReader): number; write(writer: BinaryWriter, value: number): void },
): ScalarForm<number> {
  return {
    wireType,
    zero: 0,
    // Minus zero is not the default: its bits differ.
    isZero: (value) => Object.is(value, 0),
    ...form,
    toJson(value) {
      if (!Number.isFinite(value)) return String(value);
      return new JsonNumber(Object.is(value, -0) ? '-0.0' : String(value));
    },
    fromJson(value) {
      const number = numberOf(value);
      return number === undefined || (Number.isFinite(number) && Math.abs(number) > most)
        ? undefined
        : number;
    },
    what: 'must be a number',
  };
}

const STRING: ScalarForm<string> = {
  wireType: WireType.LengthDelimited,
  zero: '',
  isZero: (value) => value === '',
  read: (reader) => reader.string(),
  write: (writer, value) => writer.string(value),
  toJson: (value) => value,
  fromJson: (value) => (typeof value === 'string' && isWellFormed(value) ? value : undefined),
  what: 'must be a string of whole characters',
};

const BOOL: ScalarForm<boolean> = {
  wireType: WireType.Varint,
  zero: false,
  isZero: (value) => !value,
  read: (reader) => reader.bool(),
  write: (writer, value) => writer.bool(value),
  toJson: (value) => value,
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
  what: 'must be true or false',
};

const BYTES: ScalarForm<Uint8Array> = {
  wireType: WireType.LengthDelimited,
  zero: new Uint8Array(0),
  isZero: (value) => value.length === 0,
  read: (reader) => reader.bytes(),
  write: (writer, value) => writer.bytes(value),
  toJson: toBase64,
  fromJson: (value) => (typeof value === 'string' ? fromBase64(value) : undefined),
  what: 'must be base64',
};

const { Varint, Bit32, Bit64 } = WireType;
const MAX_FLOAT = 3.4028234663852886e38;

const FORMS: { readonly [T in ScalarType]: ScalarForm } = {
  [ScalarType.DOUBLE]: form(
    floating(Bit64, Number.MAX_VALUE, {
      read: (reader) => reader.double(),
      write: (writer, value) => writer.double(value),
    }),
  ),
  [ScalarType.FLOAT]: form(
    floating(Bit32, MAX_FLOAT, {
      read: (reader) => reader.float(),
      write: (writer, value) => writer.float(value),
    }),
  ),
  [ScalarType.INT64]: long(Varint, INT64, 'int64'),
  [ScalarType.UINT64]: long(Varint, UINT64, 'uint64'),
  [ScalarType.SINT64]: long(Varint, INT64, 'sint64'),
  [ScalarType.FIXED64]: long(Bit64, UINT64, 'fixed64'),
  [ScalarType.SFIXED64]: long(Bit64, INT64, 'sfixed64'),
  [ScalarType.INT32]: short(Varint, INT32, 'int32'),
  [ScalarType.UINT32]: short(Varint, UINT32, 'uint32'),
  [ScalarType.SINT32]: short(Varint, INT32, 'sint32'),
  [ScalarType.FIXED32]: short(Bit32, UINT32, 'fixed32'),
  [ScalarType.SFIXED32]: short(Bit32, INT32, 'sfixed32'),
  [ScalarType.BOOL]: form(BOOL),
  [ScalarType.STRING]: form(STRING),
  [ScalarType.BYTES]: form(BYTES),
};

function long(
  wireType: WireType,
  range: readonly [bigint, bigint],
  name: 'int64' | 'uint64' | 'sint64' | 'fixed64' | 'sfixed64',
): ScalarForm {
  return form(
    integer<bigint>(wireType, range, {
      of: (value) => value,
      read: (reader) => BigInt(reader[name]()),
      write: (writer, value) => writer[name](value),
    }),
  );
}

function short(
  wireType: WireType,
  range: readonly [bigint, bigint],
  name: 'int32' | 'uint32' | 'sint32' | 'fixed32' | 'sfixed32',
): ScalarForm {
  return form(
    integer<number>(wireType, range, {
      of: Number,
      read: (reader) => reader[name](),
      write: (writer, value) => writer[name](value),
    }),
  );
}

/** The field says which scalars it holds, so a form only meets its own. */
function form<V extends Scalar>(of: ScalarForm<V>): ScalarForm {
  return of as unknown as ScalarForm;
}

export function scalarForm(type: ScalarType): ScalarForm {
  return FORMS[type];
}

/** An enum, on the wire: any int32, known or not. */
export const ENUM: ScalarForm = FORMS[ScalarType.INT32];
