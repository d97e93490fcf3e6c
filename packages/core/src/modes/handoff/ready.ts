/**
 * When a Commitment may end a Handoff session. A positive one needs an accepted offer; a negative one needs a declined
 * offer (or a policy that allows ending without a target) and none accepted; while an offer is pending, neither.
 */
import type { CommitmentPayload } from '../../envelope/payloads.js';
import { type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { SessionView } from '../mode.js';
import type { HandoffRules } from './policy-rules.js';
import { acceptedOffer, type HandoffState, openOffer } from './state.js';

const invalid = (message: string): Rejection => reject(RejectionCode.INVALID_ENVELOPE, message);

export function handoffReady(
  state: HandoffState,
  commitment: CommitmentPayload,
  session: SessionView<HandoffRules>,
): Rejection | undefined {
  const open = openOffer(state);
  if (open) return invalid(`offer ${open.handoffId} is still pending; it must be accepted or declined first`);
  const accepted = acceptedOffer(state);
  if (commitment.outcomePositive)
    return accepted ? undefined : invalid('outcome_positive is true but no offer was accepted');
  if (accepted) return invalid(`outcome_positive is false but offer ${accepted.handoffId} was accepted`);
  if (state.offers.length > 0 || session.rules.allowNoTarget) return undefined;
  return invalid('no offer was made; a session without a target can only be cancelled');
}
