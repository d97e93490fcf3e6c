/** What a create tool answers about a record, in its first round and in any later one. */
import type { JsonObject } from '@handover/core';
import { mapOutcome, type Outcome } from '../outcome.js';
import { createdWarnings } from './created-warnings.js';
import type { OperationDependencies } from './dependencies.js';
import type { FamilyService } from './families/family.js';
import type { Issued } from './issue.js';
import { withoutLink } from './links.js';

/** What an earlier call has made is marked as replayed; without a link it says what can be done. */
export async function answered(
  deps: OperationDependencies,
  family: FamilyService,
  issued: Issued,
): Promise<Outcome<JsonObject>> {
  const made = await answerAgain(deps, family, issued);
  if ('rejection' in made || issued.isNew) return made;
  const message = issued.url === undefined ? withoutLink(issued.record.state) : ANOTHER;
  return { value: { ...made.value, replayed: true, message }, replayed: true };
}

const ANOTHER =
  'It was made by an earlier call. This is another link to the same request; those given before still open it.';

export async function answerAgain(
  deps: OperationDependencies,
  family: FamilyService,
  { record, url, others }: Pick<Issued, 'record' | 'url' | 'others'>,
): Promise<Outcome<JsonObject>> {
  const made = await family.createdAnswer(deps, record, url);
  const warnings = await createdWarnings(family, deps, record, others);
  return mapOutcome(made, (value) => ({ ...value, ...warnings }));
}
