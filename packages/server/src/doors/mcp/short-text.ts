/** Text of others that nobody asked for: cut, with a sign that it was and how long it is. */
import type { JsonObject } from '@handover/core';
import { codePoints } from './token-room.js';

const MOST_CHARACTERS = 200;

export function shortText(name: string, text: string, most: number = MOST_CHARACTERS): JsonObject {
  const length = codePoints(text);
  if (length <= most) return { [name]: text };
  return {
    [name]: `${[...text.slice(0, 2 * most)].slice(0, most - 1).join('')}…`,
    [`${name}Length`]: length,
  };
}
