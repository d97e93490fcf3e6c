import type { JsonObject } from '@handover/core';
import type { Outcome } from '../outcome.js';

/** Without a URL it is a repetition of what was answered before. */
export function answered(value: JsonObject, url: string | undefined): Outcome<JsonObject> {
  return url === undefined ? { value: { ...value, replayed: true }, replayed: true } : { value };
}
