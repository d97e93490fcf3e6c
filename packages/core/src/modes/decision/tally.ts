import { treeEntries } from '../tree.js';
import { VoteWord } from './messages.js';
import type { DecisionRules } from './policy-rules.js';
import type { DecisionState } from './state.js';

export interface Tally {
  /** Weights under `weighted`, otherwise numbers of votes. */
  readonly approve: number;
  readonly reject: number;
  /** How many have voted, whatever they said. */
  readonly voters: number;
  /** Those who approved at least one proposal. */
  readonly approvers: ReadonlySet<string>;
}

/** Over all proposals together, in the order of their ids, so that sums of fractions are always the same. */
export function tallyOf(
  { proposals }: Pick<DecisionState, 'proposals'>,
  { algorithm, weights }: Pick<DecisionRules, 'algorithm' | 'weights'>,
): Tally {
  let [approve, reject] = [0, 0];
  const voters = new Set<string>();
  const approvers = new Set<string>();
  for (const [, { votes }] of treeEntries(proposals))
    for (const [voter, vote] of treeEntries(votes)) {
      const weight = algorithm === 'weighted' ? (weights.get(voter) ?? 0) : 1;
      voters.add(voter);
      if (vote === VoteWord.Approve) {
        approve += weight;
        approvers.add(voter);
      } else if (vote === VoteWord.Reject) reject += weight;
    }
  return { approve, reject, voters: voters.size, approvers };
}
