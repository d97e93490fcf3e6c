/** What to do about an error, by its code. The same sentences are in docs/reference/sdk-errors.md. */
import * as codes from './error-codes.js';

const SAME_AGAIN = 'Send the same envelope again: its message id makes that safe.';

/** By the protocol's code. */
export const ADVICE: Readonly<Record<string, string>> = {
  [codes.UNAUTHENTICATED]:
    'Check the credential: it is missing, unknown to this runtime, or of another sender.',
  [codes.FORBIDDEN]: 'Let somebody do it who has the right; the message says who that is.',
  [codes.SESSION_NOT_FOUND]: 'Check the session id, and that the session was started on this runtime.',
  [codes.SESSION_NOT_OPEN]: 'Look at the session with metadata(): it is suspended or has ended.',
  [codes.SESSION_ALREADY_EXISTS]: 'Start with another session id, or join the session that has this one.',
  [codes.INVALID_ENVELOPE]: 'Fix what the message names; sync() shows what the session has accepted.',
  [codes.UNSUPPORTED_PROTOCOL_VERSION]: 'Use a release of this package that speaks the runtime’s version.',
  [codes.MODE_NOT_SUPPORTED]: 'Ask listModes() what the runtime serves.',
  [codes.PAYLOAD_TOO_LARGE]: 'Send less, or send where the content lies in place of the content.',
  [codes.RATE_LIMITED]:
    'Wait as long as retryAfterMs says, then send the same again; without it, end first what is counted.',
  [codes.INVALID_SESSION_ID]: 'Use newSessionId().',
  [codes.INTERNAL_ERROR]: SAME_AGAIN,
  [codes.UNKNOWN_POLICY_VERSION]: 'Register the policy first; listPolicies() shows those that are there.',
  [codes.POLICY_DENIED]: 'Read denials: each is a condition of the session’s policy that is not met.',
  [codes.INVALID_POLICY_DEFINITION]: 'Fix the rules that the message names, or use a policy of this mode.',
  [codes.REGISTRY_READ_ONLY]: 'Ask who runs the runtime: its policies come from files.',
  [codes.INVALID_REQUEST]: 'Fix the argument that the message names.',
  [codes.STREAM_LAGGED]: 'Subscribe again from the last sequence, and read faster.',
  [codes.AGENT_NOT_FOUND]: 'Ask for the manifest without an agent id: it is the runtime’s own.',
  [codes.HISTORY_UNAVAILABLE]: 'Subscribe from a later sequence: the beginning is not kept any more.',
  [codes.RECEIPT_UNAVAILABLE]:
    'Wait for the Commitment: only a resolved session of a standard mode has a receipt.',
};

const BY_NAME: Readonly<Record<string, string>> = {
  MacpSessionError: 'Fix the argument that the message names; nothing was sent.',
  MacpIdentityMismatchError: 'Use the credential of the sender, or leave sender out; nothing was sent.',
  MacpClosedError: 'Make a new client.',
  MacpUnsupportedError: 'Ask initialize() what the runtime offers; nothing was sent.',
  MacpSessionEndedError: 'Look at state: EXPIRED means that nobody answered in time; ask in a new session.',
  MacpConnectionError: 'Fix the address or the TLS settings of the client as the message says.',
  MacpTimeoutError: `Whether it was accepted is not known. ${SAME_AGAIN}`,
  MacpRetryError: 'See failure: it is the error of the last attempt.',
  MacpTransportError: `Try again when the runtime can be reached. ${SAME_AGAIN}`,
};

export function adviceOn({
  name,
  macpCode,
}: {
  readonly name: string;
  readonly macpCode: string | undefined;
}): string {
  return ADVICE[macpCode ?? ''] ?? BY_NAME[name] ?? 'Read the message.';
}
