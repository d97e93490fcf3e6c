/**
 * What a policy says of a Commitment in Decision Mode (docs/spec/macp-2026.md 7.5). Every reason is given, in the order of
 * the text: evaluation, veto, quorum, algorithm.
 *
 * V1. The tally runs over all proposals together. A vote is decisive when it approves or rejects and weighs something.
 * V2. A negative outcome never rests on silence: it needs a decisive rejection, or a veto that finalizes the decline.
 */
import type { CommitmentPayload } from '../../envelope/payloads.js';
import { DenialCode } from '../../policy/evaluate.js';
import type { Denial } from '../../rejection.js';
import { SessionRev } from '../../session/rev.js';
import type { SessionView } from '../mode.js';
import type { DecisionRules } from './policy-rules.js';
import type { DecisionState } from './state.js';
import { type Tally, tallyOf } from './tally.js';

/** From this version on, nobody having decided forbids a positive Commitment by itself. */
const EMPTY_TALLY_BLOCKS = 3;

type Session = Pick<SessionView<DecisionRules>, 'rules' | 'participants' | 'policy' | 'rev'>;

export function decisionDenials(
  state: DecisionState,
  { outcomePositive }: Pick<CommitmentPayload, 'outcomePositive'>,
  session: Session,
): readonly Denial[] {
  const { rules } = session;
  const vetoed = rules.criticalVetoes && state.objections.critical >= rules.vetoThreshold;
  if (vetoed && !outcomePositive && rules.vetoAction === 'finalize_decline') return [];
  const tally = tallyOf(state, session);
  return [
    evaluationDenial(state, rules),
    vetoed ? vetoDenial(state, rules) : undefined,
    quorumDenial(tally, session),
    ...(rules.algorithm === 'none'
      ? []
      : outcomePositive
        ? [positiveDenial(tally, session)]
        : negativeDenials(tally, session)),
  ].filter((denial) => denial !== undefined);
}

function evaluationDenial(
  { evaluations }: DecisionState,
  { evaluationRequired, minimumConfidence }: DecisionRules,
): Denial | undefined {
  if (!evaluationRequired) return undefined;
  if (minimumConfidence > 0) {
    if (evaluations.qualifying > 0 && evaluations.confidence >= minimumConfidence) return undefined;
    const highest = evaluations.qualifying > 0 ? `; the highest is ${evaluations.confidence}` : '';
    const message = `no evaluation that recommends something has a confidence of ${minimumConfidence}${highest}`;
    return { code: DenialCode.ConfidenceBelowMinimum, message };
  }
  if (evaluations.qualifying > 0) return undefined;
  return {
    code: DenialCode.EvaluationRequired,
    message: 'an evaluation that recommends something is needed',
  };
}

function vetoDenial({ objections }: DecisionState, { vetoAction }: DecisionRules): Denial {
  const { critical, criticalBy: participants } = objections;
  if (vetoAction === 'hold')
    return { code: DenialCode.VetoHold, message: `held by critical objections: ${critical}`, participants };
  return { code: DenialCode.Veto, message: `vetoed by critical objections: ${critical}`, participants };
}

function quorumDenial({ voters }: Tally, { rules, participants, rev }: Session): Denial | undefined {
  if (!rules.requireVoteQuorum) return undefined;
  const { type, value } = rules.quorum;
  const of = participants.length;
  if (type === 'count' ? voters >= value : isPercentage(voters, of, value, rev)) return undefined;
  const needed = type === 'count' ? String(value) : `${value} percent of ${of} participants`;
  return { code: DenialCode.QuorumNotMet, message: `${voters} voted; the quorum is ${needed}` };
}

/** As the protocol computes it, and also where it is met exactly: in doubles 29 / 100 * 100 is less than 29. */
function isPercentage(voters: number, participants: number, percent: number, rev: number): boolean {
  if (participants === 0) return percent <= 0;
  if ((voters / participants) * 100 >= percent) return true;
  return rev >= SessionRev.ExactShares && (voters * 100) / participants >= percent;
}

type Result = 'passed' | 'failed' | 'no votes';

function resultOf(tally: Tally, { rules, participants }: Session): Result {
  const { approve, reject, decisive, approvers } = tally;
  if (decisive === 0) return 'no votes';
  const share = () => tally.share >= rules.threshold;
  const passes = {
    none: () => true,
    majority: share,
    supermajority: share,
    weighted: share,
    unanimous: () => reject === 0 && participants.every((name) => approvers.has(name)),
    plurality: () => approve > reject,
  };
  return passes[rules.algorithm]() ? 'passed' : 'failed';
}

function positiveDenial(tally: Tally, session: Session): Denial | undefined {
  const { rules, policy } = session;
  switch (resultOf(tally, session)) {
    case 'passed':
      return undefined;
    case 'failed':
      return { code: DenialCode.ThresholdNotMet, message: shortfall(tally, session) };
    case 'no votes':
      if (policy.schemaVersion < EMPTY_TALLY_BLOCKS && !rules.requireVoteQuorum) return undefined;
      return { code: DenialCode.NoVotes, message: silence(rules) };
  }
}

/** How far the votes are from what the algorithm asks, in numbers. */
function shortfall(tally: Tally, { rules, participants }: Session): string {
  const { approve, reject, decisive, approvers } = tally;
  const { algorithm, threshold } = rules;
  switch (algorithm) {
    case 'weighted':
      return `a weight of ${approve} of ${decisive} approves; ${algorithm} needs a share of ${threshold}`;
    case 'unanimous': {
      const approving = participants.filter((name) => approvers.has(name)).length;
      return `${approving} of ${participants.length} participants approve, votes against: ${reject}; ${algorithm} needs all and none`;
    }
    case 'plurality':
      return `approvals: ${approve}, rejections: ${reject}; ${algorithm} needs more approvals`;
    case 'none':
    case 'majority':
    case 'supermajority':
      return `approvals: ${approve} of ${decisive} votes that decide; ${algorithm} needs a share of ${threshold}`;
  }
}

/** Under `weighted` somebody may have voted whose vote weighs nothing. */
function silence({ algorithm }: DecisionRules): string {
  return algorithm === 'weighted'
    ? 'nobody whom voting.weights names has approved or rejected'
    : 'nobody has approved or rejected';
}

function negativeDenials(tally: Tally, session: Session): readonly Denial[] {
  const denials: Denial[] = [];
  if (resultOf(tally, session) === 'passed' && !session.rules.allowDeclineOverApproval)
    denials.push({
      code: DenialCode.DeclineOverApproval,
      message: 'the votes approve; the policy does not let them be declined over',
    });
  if (tally.reject === 0)
    denials.push({ code: DenialCode.DeclineNotBacked, message: 'no vote that counts rejects' });
  return denials;
}
