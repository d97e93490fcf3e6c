import {
  boolItem,
  bytesItem,
  doubleItem,
  enumItem,
  type Item,
  int64Item,
  mergeMessage,
  stringItem,
  uint32Item,
  uint64Item,
  writeMessage,
} from './item.js';
import { type MessageType, message } from './message.js';
import type { Reader } from './reader.js';
import { WireType } from './wire-type.js';
import type { Writer } from './writer.js';

/** One field of a message: how its value is read, merged and written. */
export interface Field<V> {
  readonly number: number;
  readonly wireType: WireType;
  /** What an absent field means. Messages share it, so nobody may write to it. */
  readonly absent: V;
  /** Reads one occurrence; `previous` is what earlier ones in the same input gave, or `absent`. */
  read(reader: Reader, previous: V): V;
  /** Writes the field with its tag, or nothing when the value is the default. */
  write(writer: Writer, value: V): void;
}

function singular<V>(number: number, item: Item<V>): Field<V> {
  const tag = (number << 3) | item.wireType;
  return {
    number,
    wireType: item.wireType,
    absent: item.zero,
    read: item.read,
    write(writer, value) {
      if (item.isZero(value)) return;
      writer.varint(tag);
      item.write(writer, value);
    },
  };
}

export const string = (number: number) => singular(number, stringItem);
export const bytes = (number: number) => singular(number, bytesItem);
export const bool = (number: number) => singular(number, boolItem);
export const int64 = (number: number) => singular(number, int64Item);
export const uint32 = (number: number) => singular(number, uint32Item);
export const uint64 = (number: number) => singular(number, uint64Item);
export const double = (number: number) => singular(number, doubleItem);
export const enumeration = <V extends string>(number: number, names: readonly [V, ...V[]]) =>
  singular(number, enumItem(names));

/** A sub-message; undefined when it is not set. */
export function optional<T>(number: number, type: MessageType<T>): Field<T | undefined> {
  const tag = (number << 3) | WireType.Bytes;
  return {
    number,
    wireType: WireType.Bytes,
    absent: undefined,
    read: (reader, previous) => mergeMessage(type, reader, previous ?? type.absent),
    write(writer, value) {
      if (value === undefined) return;
      writer.varint(tag);
      writeMessage(type, writer, value);
    },
  };
}

function repeated<V>(number: number, read: (reader: Reader) => V, write: (writer: Writer, value: V) => void) {
  const tag = (number << 3) | WireType.Bytes;
  const absent: readonly V[] = Object.freeze([]);
  const field: Field<readonly V[]> = {
    number,
    wireType: WireType.Bytes,
    absent,
    read(reader, previous) {
      // In place, since a copy per element would be quadratic; but never into the shared empty list.
      const values = previous === absent ? [] : (previous as V[]);
      values.push(read(reader));
      return values;
    },
    write(writer, values) {
      for (const value of values) {
        writer.varint(tag);
        write(writer, value);
      }
    },
  };
  return field;
}

export const strings = (number: number) => repeated(number, stringItem.read, stringItem.write);

export function messages<T>(number: number, type: MessageType<T>): Field<readonly T[]> {
  return repeated<T>(
    number,
    (reader) => mergeMessage(type, reader, type.absent),
    (writer, value) => writeMessage(type, writer, value),
  );
}

const entryType = message({ key: string(1), value: bytes(2) });

/** map<string, bytes> as a record without a prototype, so that no key means anything but itself. */
export function bytesMap(number: number): Field<Readonly<Record<string, Uint8Array>>> {
  const absent: Readonly<Record<string, Uint8Array>> = Object.freeze(Object.create(null));
  // Other implementations write key and value of an entry even when they are empty.
  const entry = { ...entryType, write: writeEntry };
  const tag = (number << 3) | WireType.Bytes;
  return {
    number,
    wireType: WireType.Bytes,
    absent,
    read(reader, previous) {
      const { key, value } = mergeMessage(entryType, reader, entryType.absent);
      const record: Record<string, Uint8Array> = previous === absent ? Object.create(null) : previous;
      record[key] = value;
      return record;
    },
    write(writer, record) {
      // Sorted: equal maps have equal bytes.
      for (const key of Object.keys(record).sort(byCodeUnits)) {
        writer.varint(tag);
        writeMessage(entry, writer, { key, value: record[key] ?? bytesItem.zero });
      }
    },
  };
}

const byCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function writeEntry(writer: Writer, { key, value }: { key: string; value: Uint8Array }): void {
  writer.varint((1 << 3) | WireType.Bytes);
  writer.string(key);
  writer.varint((2 << 3) | WireType.Bytes);
  writer.bytes(value);
}
