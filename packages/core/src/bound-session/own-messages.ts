/**
 * Messages that the server writes itself when work moves without its owner: in the owner's name when the owner left the
 * work for others, as the operator when the owner is silent. Their ids say so, and no client may use such an id.
 */
import { CoreMessageType, type Envelope } from '../envelope/envelope.js';
import type { JsonObject } from '../log/json.js';
import { HandoffMessageType, STANDING_PREFIXES, TAKEOVER_PREFIXES } from '../modes/handoff/messages.js';
import type { SessionBinding } from '../session/binding.js';

type Binding = Pick<SessionBinding, 'standing' | 'takeOver'>;

/** The id of such a message; undefined: somebody sends it. */
export function ownMessageId(binding: Binding, messageType: string, sessionId: string): string | undefined {
  const prefix = ownPrefix(binding, messageType);
  return prefix && prefix + sessionId;
}

/** What stands in another's name is implicit; the operator speaks in its own. */
export function ownMessage(binding: Binding, envelope: Envelope): JsonObject | undefined {
  const { messageType, messageId, sessionId } = envelope;
  if (messageId !== ownMessageId(binding, messageType, sessionId)) return undefined;
  return binding.takeOver && messageType !== HandoffMessageType.Accept ? {} : { implicit: true };
}

function ownPrefix({ standing, takeOver }: Binding, messageType: string): string | undefined {
  if (!takeOver && standing === undefined) return undefined;
  const prefixes = takeOver ? TAKEOVER_PREFIXES : STANDING_PREFIXES;
  switch (messageType) {
    case CoreMessageType.SessionStart:
      return prefixes.start;
    case HandoffMessageType.Offer:
      return prefixes.offer;
    case HandoffMessageType.Context:
      return prefixes.package;
    case HandoffMessageType.Accept:
      return takeOver && TAKEOVER_PREFIXES.accept;
    default:
      return undefined;
  }
}
