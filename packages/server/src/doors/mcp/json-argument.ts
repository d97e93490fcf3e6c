/** Arguments that are JSON objects of the caller's own. */
import { isFields, type JsonObject } from '@handover/core';
import { z } from 'zod';

const MAX_BYTES = 65_536;
const MAX_DEPTH = 32;

/** Kept as it is: a copy would lose odd keys. */
const anObject = z.custom<JsonObject>(isFields, 'must be an object');

export function freeObject(description: string) {
  return anObject.meta({ type: 'object', description });
}

/** One that is kept beside an entry or a handoff, and so is bounded. */
export function boundedObject(description: string) {
  // What is published goes on last: a refined schema is another one, without what its origin published.
  return anObject
    .superRefine((value, context) => {
      const message = boundedFlaw(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .meta({ type: 'object', description });
}

/** Undefined: it is shallow and small enough to be kept beside something else. */
function boundedFlaw(value: JsonObject): string | undefined {
  if (isDeeper(value, MAX_DEPTH)) return `is nested more than ${MAX_DEPTH} deep`;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > MAX_BYTES ? `has ${bytes} bytes; at most ${MAX_BYTES} are allowed` : undefined;
}

/** Depth first, without recursion: how deep it goes is what is in question. */
function isDeeper(value: JsonObject, max: number): boolean {
  const open: [unknown, number][] = [[value, 1]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [item, depth] = next;
    if (typeof item !== 'object' || item === null) continue;
    if (depth > max) return true;
    for (const member of Object.values(item)) open.push([member, depth + 1]);
  }
  return false;
}
