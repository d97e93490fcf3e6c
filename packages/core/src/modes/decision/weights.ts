/**
 * Weights that decide nothing: sums of votes that weigh some 1e308 are no numbers any more, and a vote that approves could be one that
 * rejects. Asked of what is new, a registration, a candidate or a session; what is recorded is judged as it was.
 */
import { isFields } from '../../fields.js';
import type { JsonObject } from '../../log/json.js';

/** As many of them as a session has room for can be added up, and a vote that weighs one still counts beside them. */
const MAX_WEIGHT = 1e15;

export function weightsFlaw(rules: JsonObject): string | undefined {
  const weights = isFields(rules.voting) ? rules.voting.weights : undefined;
  if (!isFields(weights)) return undefined;
  const isTooMuch = Object.values(weights).some(
    (weight) => typeof weight === 'number' && weight > MAX_WEIGHT,
  );
  return isTooMuch ? `voting.weights must not be above ${MAX_WEIGHT}` : undefined;
}
