/** The codes with which a runtime refuses a message; each constant's name is its value. */

/** The credential is missing, invalid, or of another sender. */
export const UNAUTHENTICATED = 'UNAUTHENTICATED';
/** The sender may not do this. */
export const FORBIDDEN = 'FORBIDDEN';
/** The session id names no session. */
export const SESSION_NOT_FOUND = 'SESSION_NOT_FOUND';
/** The session is suspended or has ended. */
export const SESSION_NOT_OPEN = 'SESSION_NOT_OPEN';
/** In the protocol's registry; duplicates are in fact answered with an ok Ack. */
export const DUPLICATE_MESSAGE = 'DUPLICATE_MESSAGE';
/** The session id is taken. */
export const SESSION_ALREADY_EXISTS = 'SESSION_ALREADY_EXISTS';
/** A field, a payload or the order of messages is wrong; the message says which. */
export const INVALID_ENVELOPE = 'INVALID_ENVELOPE';
/** The runtime does not speak this protocol version. */
export const UNSUPPORTED_PROTOCOL_VERSION = 'UNSUPPORTED_PROTOCOL_VERSION';
/** The runtime does not serve this mode. */
export const MODE_NOT_SUPPORTED = 'MODE_NOT_SUPPORTED';
/** The payload exceeds the runtime's limit. */
export const PAYLOAD_TOO_LARGE = 'PAYLOAD_TOO_LARGE';
/** Too many messages from this sender; try again later. */
export const RATE_LIMITED = 'RATE_LIMITED';
/** The session id does not have the required form. */
export const INVALID_SESSION_ID = 'INVALID_SESSION_ID';
/** The runtime could not store the message; nothing was accepted. */
export const INTERNAL_ERROR = 'INTERNAL_ERROR';
/** The policy named at SessionStart is not registered. */
export const UNKNOWN_POLICY_VERSION = 'UNKNOWN_POLICY_VERSION';
/** The session's policy denied the Commitment; `reasons` say why. */
export const POLICY_DENIED = 'POLICY_DENIED';
/** The policy does not fit the session's mode. */
export const INVALID_POLICY_DEFINITION = 'INVALID_POLICY_DEFINITION';
/** The policies of the runtime come from files and cannot be changed by a request. */
export const REGISTRY_READ_ONLY = 'REGISTRY_READ_ONLY';
/** A malformed request that is no envelope. */
export const INVALID_REQUEST = 'INVALID_REQUEST';
/** A stream or a watch was read too slowly and has ended. */
export const STREAM_LAGGED = 'STREAM_LAGGED';
/** The runtime does not host this agent. */
export const AGENT_NOT_FOUND = 'AGENT_NOT_FOUND';
/** The beginning of the history is not kept any more. */
export const HISTORY_UNAVAILABLE = 'HISTORY_UNAVAILABLE';
/** No receipt can be made of this session. */
export const RECEIPT_UNAVAILABLE = 'RECEIPT_UNAVAILABLE';
