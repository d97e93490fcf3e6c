"""The codes with which a server refuses a message; each constant's name is its value."""

UNAUTHENTICATED = "UNAUTHENTICATED"
"""The credential is missing, invalid, or of another sender."""

FORBIDDEN = "FORBIDDEN"
"""The sender may not do this."""

SESSION_NOT_FOUND = "SESSION_NOT_FOUND"
"""The session id names no session."""

SESSION_NOT_OPEN = "SESSION_NOT_OPEN"
"""The session is suspended or has ended."""

DUPLICATE_MESSAGE = "DUPLICATE_MESSAGE"
"""In the protocol's registry; duplicates are in fact answered with an ok Ack."""

SESSION_ALREADY_EXISTS = "SESSION_ALREADY_EXISTS"
"""The session id is taken."""

INVALID_ENVELOPE = "INVALID_ENVELOPE"
"""A field, a payload or the order of messages is wrong; the message says which."""

UNSUPPORTED_PROTOCOL_VERSION = "UNSUPPORTED_PROTOCOL_VERSION"
"""The server does not speak this protocol version."""

MODE_NOT_SUPPORTED = "MODE_NOT_SUPPORTED"
"""The server does not serve this mode."""

PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
"""The payload exceeds the server's limit."""

RATE_LIMITED = "RATE_LIMITED"
"""Too many messages from this sender; try again later."""

INVALID_SESSION_ID = "INVALID_SESSION_ID"
"""The session id does not have the required form."""

INTERNAL_ERROR = "INTERNAL_ERROR"
"""The server could not store the message; nothing was accepted."""

UNKNOWN_POLICY_VERSION = "UNKNOWN_POLICY_VERSION"
"""The policy named at SessionStart is not registered."""

POLICY_DENIED = "POLICY_DENIED"
"""The session's policy denied the Commitment; `reasons` say why."""

INVALID_POLICY_DEFINITION = "INVALID_POLICY_DEFINITION"
"""The policy does not fit the session's mode."""

REGISTRY_READ_ONLY = "REGISTRY_READ_ONLY"
"""The policies of the server come from files and cannot be changed by a request."""

INVALID_REQUEST = "INVALID_REQUEST"
"""A malformed request that is no envelope."""

STREAM_LAGGED = "STREAM_LAGGED"
"""A stream or a watch was read too slowly and has ended."""

AGENT_NOT_FOUND = "AGENT_NOT_FOUND"
"""The server does not host this agent."""

HISTORY_UNAVAILABLE = "HISTORY_UNAVAILABLE"
"""The beginning of the history is not kept any more."""

RECEIPT_UNAVAILABLE = "RECEIPT_UNAVAILABLE"
"""No receipt can be made of this session."""
