/** A message inside a session (docs/spec/macp.md 2.5). The engine has applied every due tick before this is asked. */
import { accepted, type DecideContext, type Decision, rejected, type Stamp } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import { CoreMessageType, type Envelope } from '../envelope/envelope.js';
import { MAX_ENTRIES_PER_STREAM } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { reservedPrefix } from '../modes/registry.js';
import { findMode } from '../registry/modes.js';
import { type Rejection, RejectionCode, reject } from '../rejection.js';
import { decideCommitment } from './commitment.js';
import { sameMessage } from './duplicate.js';
import { envelopeFacts } from './facts.js';
import { SessionRev } from './rev.js';
import { MAX_PARTICIPANTS } from './start.js';
import { maySpeak, type SessionState, SessionStatus } from './state.js';

/** Places at the end of a full stream that only a Commitment, a control or a tick may take. */
const ROOM_FOR_ENDINGS = 100;

const invalid = (message: string): Rejection => reject(RejectionCode.INVALID_ENVELOPE, message);

export function decideMessage(
  session: SessionState,
  { envelope, own }: { readonly envelope: Envelope; readonly own?: JsonObject },
  stamp: Stamp,
  context: DecideContext,
): Decision {
  // Membership comes first: an outsider learns nothing, not even whether a message id was used.
  if (!maySpeak(session, envelope.sender)) return rejected(reject(RejectionCode.FORBIDDEN, unheard(session)));
  const reserved = own ? undefined : reservedPrefix(session.mode, envelope.messageId);
  if (reserved)
    return rejected(invalid(`message_id may not begin with "${reserved}": the runtime writes those`));
  if (stamp.seen) {
    if (sameMessage(envelope, stamp.seen, context.codec))
      return { kind: 'duplicate', acceptedAt: stamp.seen.at, seq: stamp.seen.seq };
    return rejected(invalid('message_id was already used for a different message in this session'));
  }
  const flaw = stateFlaw(session, envelope, context) ?? crowdFlaw(session, envelope.sender);
  if (flaw) return rejected(flaw);
  const decision = decideByMode(session, envelope, context.codec);
  if ('rejection' in decision) return rejected(decision.rejection);
  const { messageType: type, sender: actor, messageId, payload } = envelope;
  const facts = { ...envelopeFacts(envelope), ...decision.facts, ...own };
  return accepted({ type, v: 1, actor, messageId, facts, payload });
}

function unheard({ participants }: SessionState): string {
  return participants.length === 0
    ? 'the session lists no participants, so nobody can speak in it: start another that does'
    : 'the sender is not a participant of this session';
}

/** Where nobody is listed anybody is heard, up to as many as could be listed: what a session knows of each is kept. */
function crowdFlaw({ participants, activity, rev }: SessionState, sender: string): Rejection | undefined {
  if (participants.length > 0 || rev < SessionRev.Wire2026 || activity.length < MAX_PARTICIPANTS)
    return undefined;
  if (activity.some(({ participant }) => participant === sender)) return undefined;
  return invalid(`the session has heard ${MAX_PARTICIPANTS} senders and takes no others`);
}

function stateFlaw(session: SessionState, envelope: Envelope, context: DecideContext): Rejection | undefined {
  const modeId = session.mode.descriptor.mode;
  if (envelope.mode !== modeId) return invalid(`mode must be ${modeId}, to which the session is bound`);
  if (session.status !== SessionStatus.Open)
    return reject(RejectionCode.SESSION_NOT_OPEN, `the session is ${session.status.toLowerCase()}`);
  if (!findMode(context.consulted.modes, modeId))
    return reject(RejectionCode.MODE_NOT_SUPPORTED, `mode ${modeId} is no longer registered`);
  const isCommitment = envelope.messageType === CoreMessageType.Commitment;
  if (!isCommitment && session.seq >= MAX_ENTRIES_PER_STREAM - ROOM_FOR_ENDINGS)
    return invalid(`the session has ${session.seq} entries and takes no more messages; commit or cancel it`);
  return undefined;
}

function decideByMode(
  session: SessionState,
  envelope: Envelope,
  codec: Codec,
): { readonly facts: JsonObject } | { readonly rejection: Rejection } {
  if (envelope.messageType === CoreMessageType.Commitment) return decideCommitment(session, envelope, codec);
  return session.run.decide(envelope, session, codec);
}
