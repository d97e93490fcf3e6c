import { validateFlag } from '../arguments.js';
import { MacpSessionError } from '../errors.js';

const NEGATIVE_ENDINGS = ['rejected', 'failed', 'declined', 'no_target'];
const POSITIVE_ENDINGS = ['selected', 'accepted', 'completed', 'approved'];

/** What the ending of an action says of the outcome, in any case of letters; undefined when it says nothing. */
export function inferOutcomePositive(action: string): boolean | undefined {
  const text = action.toLowerCase();
  if (NEGATIVE_ENDINGS.some((word) => text.endsWith(word))) return false;
  return POSITIVE_ENDINGS.some((word) => text.endsWith(word)) ? true : undefined;
}

/** The outcome that a Commitment states. What is given must not contradict the action's ending: runtimes refuse that. */
export function outcomeOf(action: string, given?: boolean): boolean {
  validateFlag('outcomePositive', given);
  const said = inferOutcomePositive(action);
  if (given !== undefined && said !== undefined && given !== said)
    throw new MacpSessionError(
      `outcomePositive is ${given}, but the action "${action}" says a ${said ? 'positive' : 'negative'} outcome`,
      'outcomePositive',
    );
  const positive = given ?? said;
  if (positive !== undefined) return positive;
  throw new MacpSessionError(
    `outcomePositive is missing, and the action "${action}" does not say it: only the endings ${POSITIVE_ENDINGS.join(', ')} and ${NEGATIVE_ENDINGS.join(', ')} do`,
    'outcomePositive',
  );
}
