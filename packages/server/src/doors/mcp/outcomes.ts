import type { Outcome } from '../../services/handoffs/types.js';

/** The same outcome with another value: refusals and the mark of a repetition pass through. */
export function mapOutcome<A, B>(outcome: Outcome<A>, change: (value: A) => B): Outcome<B> {
  return 'rejection' in outcome ? outcome : { ...outcome, value: change(outcome.value) };
}
