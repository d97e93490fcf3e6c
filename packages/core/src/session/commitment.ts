/**
 * Commitment: the checks that are the same in every mode (docs/spec/macp.md 3.4), then the mode's, then the policy's.
 */
import type { Codec } from '../envelope/codec.js';
import type { Envelope } from '../envelope/envelope.js';
import type { CommitmentPayload } from '../envelope/payloads.js';
import type { JsonObject } from '../log/json.js';
import { mayCommit, policyDenied } from '../policy/evaluate.js';
import { type Rejection, RejectionCode, reject } from '../rejection.js';
import { isBlank, isId } from '../text.js';
import type { SessionState } from './state.js';

const NEGATIVE_ENDINGS = ['rejected', 'failed', 'declined'];
const POSITIVE_ENDINGS = ['selected', 'accepted', 'completed', 'approved'];
const COMMITMENT_HASH = /^sha256:[0-9a-f]{64}$/;

const invalid = (message: string): Rejection => reject(RejectionCode.INVALID_ENVELOPE, message);

export function decideCommitment(
  session: SessionState,
  envelope: Envelope,
  codec: Codec,
): { readonly facts: JsonObject } | { readonly rejection: Rejection } {
  const authority = authorityFlaw(session, envelope.sender);
  if (authority) return { rejection: authority };
  const commitment = codec.decode('Commitment', envelope.payload);
  if (!commitment) return { rejection: invalid('payload is not a CommitmentPayload') };
  const rejection =
    fieldFlaw(commitment) ??
    bindingFlaw(commitment, session) ??
    supersedesFlaw(commitment) ??
    outcomeFlaw(commitment) ??
    session.run.ready(commitment, session) ??
    policyDenied(session.policy, 'Commitment', session.run.denials(commitment, session));
  if (rejection) return { rejection };
  return { facts: commitmentFacts(commitment) };
}

export function commitmentFacts(commitment: CommitmentPayload): JsonObject {
  return { commitment_id: commitment.commitmentId, outcome_positive: commitment.outcomePositive };
}

function authorityFlaw(session: SessionState, sender: string): Rejection | undefined {
  if (mayCommit(session.run.authority, session, sender)) return undefined;
  const { mode, policy } = session;
  const message =
    mode.commitBy === 'policy'
      ? `${policy.policyId} does not let this sender commit`
      : `only the initiator commits in mode ${mode.descriptor.mode}`;
  return reject(RejectionCode.FORBIDDEN, message);
}

function fieldFlaw(commitment: CommitmentPayload): Rejection | undefined {
  if (!isId(commitment.commitmentId) || isBlank(commitment.commitmentId))
    return invalid('commitment_id must be 1 to 256 bytes without control characters');
  if (isBlank(commitment.action)) return invalid('action is empty');
  if (isBlank(commitment.authorityScope)) return invalid('authority_scope is empty');
  if (isBlank(commitment.reason)) return invalid('reason is empty');
  return undefined;
}

/** A Commitment echoes what the session bound; an empty policy_version means the bound policy. */
function bindingFlaw(commitment: CommitmentPayload, session: SessionState): Rejection | undefined {
  if (commitment.modeVersion !== session.modeVersion)
    return invalid(`mode_version must be ${session.modeVersion}`);
  if (commitment.configurationVersion !== session.configurationVersion)
    return invalid('configuration_version must be the one the session is bound to');
  if (commitment.policyVersion !== '' && commitment.policyVersion !== session.policy.policyId)
    return invalid(`policy_version must be empty or ${session.policy.policyId}`);
  return undefined;
}

function supersedesFlaw({ supersedes }: CommitmentPayload): Rejection | undefined {
  if (!supersedes) return undefined;
  if (isBlank(supersedes.sessionId)) return invalid('supersedes.session_id is empty');
  if (!COMMITMENT_HASH.test(supersedes.commitmentHash))
    return invalid('supersedes.commitment_hash must be "sha256:" and 64 lowercase hex digits');
  return undefined;
}

/** The ending of the action and the outcome must not contradict each other; other endings say nothing. */
function outcomeFlaw({ action, outcomePositive }: CommitmentPayload): Rejection | undefined {
  if (outcomePositive && NEGATIVE_ENDINGS.some((ending) => action.endsWith(ending)))
    return invalid('action says a negative outcome but outcome_positive is true');
  if (!outcomePositive && POSITIVE_ENDINGS.some((ending) => action.endsWith(ending)))
    return invalid('action says a positive outcome but outcome_positive is false');
  return undefined;
}
