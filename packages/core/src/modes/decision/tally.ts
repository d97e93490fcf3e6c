import { SessionRev } from '../../session/rev.js';
import type { SessionView } from '../mode.js';
import { treeEntries } from '../tree.js';
import { exactSums } from './exact-sums.js';
import { VoteWord } from './messages.js';
import type { DecisionRules } from './policy-rules.js';
import type { DecisionState } from './state.js';

export interface Tally {
  /** Weights under `weighted`, otherwise numbers of votes. */
  readonly approve: number;
  readonly reject: number;
  /** Both together. */
  readonly decisive: number;
  /** What part of it approves; not a number where nobody decided. */
  readonly share: number;
  /** How many have voted, whatever they said. */
  readonly voters: number;
  /** Those who approved at least one proposal. */
  readonly approvers: ReadonlySet<string>;
}

type Votes = Pick<DecisionState, 'proposals' | 'cast'>;
type Weighing = Pick<DecisionRules, 'algorithm' | 'weights'>;

/** Over all proposals together. It costs what the voters cost, however many votes there are. */
export function tallyOf(votes: Votes, session: { rules: Weighing } & Pick<SessionView, 'rev'>): Tally {
  const { rules, rev } = session;
  let voters = 0;
  const approvers = new Set<string>();
  for (const [voter, { approvals }] of treeEntries(votes.cast)) {
    voters += 1;
    if (approvals > 0) approvers.add(voter);
  }
  const sums =
    rules.algorithm === 'weighted' && rev >= SessionRev.ExactShares
      ? exactSums(votes.cast, rules.weights)
      : inDoubles(sumsInDoubles(votes, rules));
  return { ...sums, voters, approvers };
}

function inDoubles([approve, reject]: Sums): Pick<Tally, 'approve' | 'reject' | 'decisive' | 'share'> {
  const decisive = approve + reject;
  return { approve, reject, decisive, share: approve / decisive };
}

/** Exact for numbers of votes. For weights this is how sessions before exact shares were judged. */
function sumsInDoubles({ proposals, cast }: Votes, { algorithm, weights }: Weighing): Sums {
  let [approve, reject] = [0, 0];
  let exact = true;
  for (const [voter, { approvals, rejections }] of treeEntries(cast)) {
    const weight = algorithm === 'weighted' ? (weights.get(voter) ?? 0) : 1;
    exact &&= Number.isSafeInteger(weight);
    approve += weight * approvals;
    reject += weight * rejections;
  }
  // Sums of fractions depend on their order, and recorded Commitments were judged by this one.
  if (!exact || approve > Number.MAX_SAFE_INTEGER || reject > Number.MAX_SAFE_INTEGER)
    return sumsInOrder(proposals, weights);
  return [approve, reject];
}

type Sums = readonly [approve: number, reject: number];
type Proposals = DecisionState['proposals'];

/** Trees are never changed: sums of the same votes by the same weights are the same. */
const known = new WeakMap<
  NonNullable<Proposals>,
  { readonly weights: Weighing['weights']; readonly sums: Sums }
>();

/** Vote by vote, in the order of the ids of proposals and then of voters. */
function sumsInOrder(proposals: Proposals, weights: Weighing['weights']): Sums {
  const before = proposals && known.get(proposals);
  if (before?.weights === weights) return before.sums;
  let [approve, reject] = [0, 0];
  for (const [, { votes }] of treeEntries(proposals))
    for (const [voter, vote] of treeEntries(votes)) {
      const weight = weights.get(voter) ?? 0;
      if (vote === VoteWord.Approve) approve += weight;
      else if (vote === VoteWord.Reject) reject += weight;
    }
  const sums: Sums = [approve, reject];
  if (proposals) known.set(proposals, { weights, sums });
  return sums;
}
