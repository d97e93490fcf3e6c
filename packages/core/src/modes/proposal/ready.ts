/** When a Commitment may end a negotiation (docs/spec/macp-2026.md 8.4). Either outcome may follow from either end. */
import type { CommitmentPayload } from '../../envelope/payloads.js';
import { DenialCode } from '../../policy/evaluate.js';
import { type Denial, type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { SessionView } from '../mode.js';
import type { ProposalRules } from './policy-rules.js';
import { isConverged, isRejectedForGood, type ProposalState } from './state.js';

export function proposalReady(
  state: ProposalState,
  _commitment: CommitmentPayload,
  session: SessionView<ProposalRules>,
): Rejection | undefined {
  if (isRejectedForGood(state) || isConverged(state, session)) return undefined;
  return reject(
    RejectionCode.INVALID_ENVELOPE,
    `no proposal on the table has the acceptances of "${session.rules.criterion}", and none is rejected for good`,
  );
}

/** More counter-proposals than the policy allows are refused one by one; this is for histories under another policy. */
export function proposalDenials(
  { counterProposals }: ProposalState,
  { outcomePositive }: Pick<CommitmentPayload, 'outcomePositive'>,
  { rules: { maxRounds } }: Pick<SessionView<ProposalRules>, 'rules'>,
): readonly Denial[] {
  if (!outcomePositive || maxRounds === 0 || counterProposals <= maxRounds) return [];
  const message = `there are ${counterProposals} counter-proposals; the policy allows ${maxRounds}`;
  return [{ code: DenialCode.CriterionNotMet, message }];
}
