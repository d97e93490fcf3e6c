/** Quorum Mode, message by message (docs/spec/macp-2026.md 11.2 and 11.3). The order of the checks is the protocol's. */
import type { Codec } from '../../envelope/codec.js';
import type { Envelope } from '../../envelope/envelope.js';
import { forbidden, idFlaw, invalid, notListed } from '../answers.js';
import type { ModeDecision, SessionView } from '../mode.js';
import { QuorumMessageType } from './messages.js';
import { quorumPayloads } from './payloads.js';
import type { QuorumRules } from './policy-rules.js';
import { effectiveThreshold, type QuorumState } from './state.js';

type Session = Pick<SessionView<QuorumRules>, 'participants' | 'initiator' | 'rules'>;

export function decideQuorum(
  state: QuorumState,
  envelope: Envelope,
  session: Session,
  codec: Codec,
): ModeDecision {
  if (envelope.messageType === QuorumMessageType.Request)
    return decideRequest(state, envelope, session, codec);
  const unheard = notListed(envelope.sender, session);
  if (unheard) return unheard;
  switch (envelope.messageType) {
    case QuorumMessageType.Approve:
    case QuorumMessageType.Reject:
    case QuorumMessageType.Abstain:
      return decideBallot(state, envelope, envelope.messageType, codec);
    default:
      return invalid(`message_type ${envelope.messageType} is not part of Quorum Mode`);
  }
}

function decideRequest(
  state: QuorumState,
  { payload, sender }: Envelope,
  session: Session,
  codec: Codec,
): ModeDecision {
  if (sender !== session.initiator) return forbidden('only the session initiator may ask for approval');
  const request = codec.decode(quorumPayloads.ApprovalRequest, payload);
  if (!request) return invalid('payload is not an ApprovalRequestPayload');
  if (state.request) return invalid(`request ${state.request.requestId} was made; a session has one request`);
  const { requestId, requiredApprovals } = request;
  const flaw = idFlaw('request_id', requestId);
  if (flaw) return flaw;
  const { length } = session.participants;
  if (requiredApprovals < 1 || requiredApprovals > length)
    return invalid(`required_approvals must be between 1 and ${length}, the number of participants`);
  if (effectiveThreshold(requiredApprovals, session) === undefined)
    return invalid('the threshold of the policy cannot be evaluated');
  return { facts: { request_id: requestId, required_approvals: requiredApprovals } };
}

function decideBallot(
  { request, ballots }: QuorumState,
  { payload, sender }: Envelope,
  type: 'Approve' | 'Reject' | 'Abstain',
  codec: Codec,
): ModeDecision {
  const ballot = codec.decode(quorumPayloads[type], payload);
  if (!ballot) return invalid(`payload is not ${type === 'Reject' ? 'a' : 'an'} ${type}Payload`);
  if (!request || request.requestId !== ballot.requestId)
    return invalid('request_id names no request of this session');
  if (ballots.some(({ by }) => by === sender)) return invalid('the sender has already cast a ballot');
  return { facts: { request_id: request.requestId } };
}
