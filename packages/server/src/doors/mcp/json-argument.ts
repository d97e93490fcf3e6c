/** Arguments that are JSON objects with any keys. */
import { isFields, type JsonObject } from '@handover/core';
import { z } from 'zod';
import { fixedLimits } from '../../config/fixed-limits.js';

const MAX_BYTES = 65_536;
const MAX_DEPTH = fixedLimits.jsonLevels.value;

/** Does not copy the object: zod's copy would lose the key `__proto__`. */
const anObject = z.custom<JsonObject>(isFields, 'must be an object');

export function freeObject(description: string) {
  return anObject.meta({ type: 'object', description });
}

/** An object that is stored beside an entry or a handoff, so its size and depth are bounded. */
export function boundedObject(description: string) {
  // `meta` comes last: `superRefine` returns a new schema, without the metadata of the one before.
  return anObject
    .superRefine((value, context) => {
      const message = boundedFlaw(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .meta({ type: 'object', description });
}

/** Undefined when the object is shallow and small enough. */
function boundedFlaw(value: JsonObject): string | undefined {
  if (isDeeper(value, MAX_DEPTH)) return `is nested more than ${MAX_DEPTH} deep`;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > MAX_BYTES ? `has ${bytes} bytes; at most ${MAX_BYTES} are allowed` : undefined;
}

/** Depth first and without recursion, because a value that is too deep would overflow the stack. */
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
