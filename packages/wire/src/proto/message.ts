import type { Field } from './field.js';
import { Reader } from './reader.js';
import { Writer } from './writer.js';

/** A message as a table: for each property of T, the field that carries it. */
export interface MessageType<T> {
  readonly absent: T;
  /** Reads fields up to the reader's end on top of `previous`, as protobuf merges repeated sub-messages. */
  merge(reader: Reader, previous: T): T;
  write(writer: Writer, value: T): void;
  /** Undefined when the bytes are not this message. Byte fields of the result are views on the input. */
  decode(bytes: Uint8Array): T | undefined;
  encode(value: T): Uint8Array;
}

export type Fields<T> = { readonly [K in keyof T]-?: Field<T[K]> };

// Encoding never yields, so one writer serves all.
const writer = new Writer();

export function message<T extends object>(fields: Fields<T>): MessageType<T> {
  const keys = Object.keys(fields) as (keyof T)[];
  const entries = keys.map((key) => ({ key, field: fields[key] as Field<T[keyof T]> }));
  entries.sort((a, b) => a.field.number - b.field.number);
  const byTag: ((typeof entries)[number] | undefined)[] = [];
  for (const entry of entries) byTag[(entry.field.number << 3) | entry.field.wireType] = entry;
  const absent = {} as T;
  // A field whose absence is undefined is left out, not set to undefined.
  for (const { key, field } of entries) if (field.absent !== undefined) absent[key] = field.absent;

  const type: MessageType<T> = {
    absent,
    merge(reader, previous) {
      const value = { ...previous };
      while (reader.pos < reader.end) {
        const tag = reader.tag();
        const entry = byTag[tag];
        // A known number with another wire type is an unknown field.
        if (entry === undefined) reader.skip(tag);
        else value[entry.key] = entry.field.read(reader, value[entry.key]);
      }
      return value;
    },
    write(to, value) {
      for (const { key, field } of entries) field.write(to, value[key]);
    },
    decode(bytes) {
      const reader = new Reader(bytes);
      const value = type.merge(reader, absent);
      return reader.result(value);
    },
    encode(value) {
      writer.start();
      type.write(writer, value);
      return writer.finish();
    },
  };
  return type;
}
