/** What modes answer alike. */
import { RejectionCode, reject } from '../rejection.js';
import { isBlank, isId } from '../text.js';
import type { ModeDecision, SessionView } from './mode.js';

export const invalid = (message: string): ModeDecision => ({
  rejection: reject(RejectionCode.INVALID_ENVELOPE, message),
});

export const forbidden = (message: string): ModeDecision => ({
  rejection: reject(RejectionCode.FORBIDDEN, message),
});

/** The initiator, and whoever may commit, are members of the session; only those that it lists speak in the mode. */
export function notListed(
  sender: string,
  session: Pick<SessionView, 'participants'>,
): ModeDecision | undefined {
  if (session.participants.includes(sender)) return undefined;
  return forbidden('only a listed participant may send this message');
}

/** An id that a message introduces. */
export function idFlaw(field: string, id: string): ModeDecision | undefined {
  if (isId(id) && !isBlank(id)) return undefined;
  return invalid(`${field} must be 1 to 256 bytes without control characters, and not blank`);
}

/** Some messages name their sender once more. */
export function bySender(field: string, by: string, sender: string): ModeDecision | undefined {
  return by === '' || by === sender ? undefined : invalid(`${field} must be empty or the sender`);
}
