import { Reader } from './proto/reader.js';

/**
 * How many fields a protobuf message has at its top, up to one more than `limit`: decoding costs by the field, so a
 * caller can refuse a message before it pays. Bytes that are no message count up to where that shows.
 */
export function countFields(bytes: Uint8Array, limit: number): number {
  const reader = new Reader(bytes);
  let count = 0;
  while (reader.pos < reader.end && count <= limit) {
    reader.skip(reader.tag());
    count += 1;
  }
  return count;
}
