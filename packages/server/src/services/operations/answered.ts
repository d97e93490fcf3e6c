import type { JsonObject } from '@handover/core';
import type { Outcome } from '../outcome.js';

/** Without a URL the record was made by an earlier call, so the answer is marked as replayed. */
export function answered(value: JsonObject, url: string | undefined): Outcome<JsonObject> {
  return url === undefined ? { value: { ...value, replayed: true }, replayed: true } : { value };
}
