/** What a create tool answers about a record, in its first round and in any later one. */
import type { JsonObject } from '@handover/core';
import { mapOutcome, type Outcome } from '../outcome.js';
import { createdWarnings } from './created-warnings.js';
import type { OperationDependencies } from './dependencies.js';
import type { FamilyService } from './families/family.js';
import type { Issued } from './issue.js';

/** Without a URL the record was made by an earlier call, so the answer is marked as replayed. */
export async function answered(
  deps: OperationDependencies,
  family: FamilyService,
  issued: Issued,
): Promise<Outcome<JsonObject>> {
  const made = await answerAgain(deps, family, issued);
  if ('rejection' in made || issued.url !== undefined) return made;
  return { value: { ...made.value, replayed: true }, replayed: true };
}

export async function answerAgain(
  deps: OperationDependencies,
  family: FamilyService,
  { record, url }: Issued,
): Promise<Outcome<JsonObject>> {
  const made = await family.createdAnswer(deps, record, url);
  return mapOutcome(made, (value) => ({ ...value, ...createdWarnings(family, deps, record.state) }));
}
