import type { JsonObject } from '@handover/core';
import type { Outcome } from '../outcome.js';

/** Without a URL the record was made by an earlier call, so the answer is marked as replayed. */
export function answered(made: Outcome<JsonObject>, url: string | undefined): Outcome<JsonObject> {
  if ('rejection' in made || url !== undefined) return made;
  return { value: { ...made.value, replayed: true }, replayed: true };
}
