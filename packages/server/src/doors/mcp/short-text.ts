/** Text of others that nobody asked for: cut, with a sign that it was and how long it is. */
import type { JsonObject } from '@handover/core';
import { codePoints, jsonBytes, partOf } from './token-room.js';

export const MOST_CHARACTERS = 200;
const ELLIPSIS = '…';

/** At most so many characters, and at most so many bytes of JSON. */
export function shortText(
  name: string,
  text: string,
  most: number = MOST_CHARACTERS,
  bytes: number = Number.POSITIVE_INFINITY,
): JsonObject {
  const length = codePoints(text);
  if (length <= most && jsonBytes(text) - 2 <= bytes) return { [name]: text };
  const room = Math.max(0, bytes - Buffer.byteLength(ELLIPSIS));
  const fits = partOf(text.slice(0, 2 * most), 0, room)?.text ?? '';
  return { [name]: [...fits].slice(0, most - 1).join('') + ELLIPSIS, [`${name}Length`]: length };
}
