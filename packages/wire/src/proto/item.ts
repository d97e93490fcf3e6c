import type { MessageType } from './message.js';
import type { Reader } from './reader.js';
import { WireType } from './wire-type.js';
import type { Writer } from './writer.js';

/** One value on the wire, without its tag. */
export interface Item<V> {
  readonly wireType: WireType;
  /** The default, which proto3 does not write. Messages share it, so nobody may write to it. */
  readonly zero: V;
  isZero(value: V): boolean;
  read(reader: Reader): V;
  write(writer: Writer, value: V): void;
}

export const stringItem: Item<string> = {
  wireType: WireType.Bytes,
  zero: '',
  isZero: (value) => value === '',
  read: (reader) => reader.string(),
  write: (writer, value) => writer.string(value),
};

export const bytesItem: Item<Uint8Array> = {
  wireType: WireType.Bytes,
  zero: new Uint8Array(0),
  isZero: (value) => value.length === 0,
  read: (reader) => reader.bytes(),
  write: (writer, value) => writer.bytes(value),
};

export const boolItem: Item<boolean> = {
  wireType: WireType.Varint,
  zero: false,
  isZero: (value) => !value,
  read: (reader) => reader.bool(),
  write: (writer, value) => writer.varint(value ? 1 : 0),
};

export const int64Item: Item<number> = {
  wireType: WireType.Varint,
  zero: 0,
  isZero: (value) => value === 0,
  read: (reader) => reader.int64(),
  write: (writer, value) => writer.int64(value),
};

/** Sequence numbers: one that a number cannot hold is past the end of any history, so it is cut, not refused. */
export const uint64Item: Item<number> = {
  wireType: WireType.Varint,
  zero: 0,
  isZero: (value) => value === 0,
  read: (reader) => reader.uint64(),
  write: (writer, value) => writer.uint64(value),
};

/** Longer ones are cut to 32 bits, as protobuf does. */
export const uint32Item: Item<number> = {
  wireType: WireType.Varint,
  zero: 0,
  isZero: (value) => value === 0,
  read: (reader) => reader.int32() >>> 0,
  write: (writer, value) => writer.uint64(value),
};

export const doubleItem: Item<number> = {
  wireType: WireType.Fixed64,
  zero: 0,
  // Minus zero is not the default: protobuf compares the bits.
  isZero: (value) => Object.is(value, 0),
  read: (reader) => reader.double(),
  write: (writer, value) => writer.double(value),
};

/** An enum as the strings that stand for 0, 1, 2 and so on; an unknown number reads as the first. */
export function enumItem<V extends string>(names: readonly [V, ...V[]]): Item<V> {
  const [zero] = names;
  return {
    wireType: WireType.Varint,
    zero,
    isZero: (value) => value === zero,
    read: (reader) => names[reader.int32()] ?? zero,
    write: (writer, value) => writer.varint(Math.max(names.indexOf(value), 0)),
  };
}

/** What most sub-messages here need: two bytes for their length. */
const EXPECTED_SIZE = 128;

/** Reads a sub-message on top of what an earlier occurrence gave. */
export function mergeMessage<T>(type: MessageType<T>, reader: Reader, previous: T): T {
  const outer = reader.enter();
  const value = type.merge(reader, previous);
  reader.leave(outer);
  return value;
}

export function writeMessage<T>(type: MessageType<T>, writer: Writer, value: T): void {
  const start = writer.open(EXPECTED_SIZE);
  type.write(writer, value);
  writer.close(start, EXPECTED_SIZE);
}
