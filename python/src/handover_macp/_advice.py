"""What to do about an error, by its code, else by its class."""

from __future__ import annotations

_SAME_AGAIN = "Send the same envelope again: its message id makes that safe."

BY_CODE = {
    "UNAUTHENTICATED": "Check the credential: it is missing, unknown to this runtime, or of another sender.",
    "FORBIDDEN": "Let somebody do it who has the right; the message says who that is.",
    "SESSION_NOT_FOUND": "Check the session id, and that the session was started on this runtime.",
    "SESSION_NOT_OPEN": "Look at the session with metadata(): it is suspended or has ended.",
    "SESSION_ALREADY_EXISTS": "Start with another session id, or join the session that has this one.",
    "INVALID_ENVELOPE": "Fix what the message names; sync() shows what the session has accepted.",
    "UNSUPPORTED_PROTOCOL_VERSION": "Use a release of this package that speaks the runtime's version.",
    "MODE_NOT_SUPPORTED": "Ask list_modes() what the runtime serves.",
    "PAYLOAD_TOO_LARGE": "Send less, or send where the content lies in place of the content.",
    "RATE_LIMITED": "Wait as long as retry_after_ms says, then send the same again; without it, end first what is counted.",
    "INVALID_SESSION_ID": "Use new_session_id().",
    "INTERNAL_ERROR": _SAME_AGAIN,
    "UNKNOWN_POLICY_VERSION": "Register the policy first; list_policies() shows those that are there.",
    "POLICY_DENIED": "Read denials: each is a condition of the session's policy that is not met.",
    "INVALID_POLICY_DEFINITION": "Fix the rules that the message names, or use a policy of this mode.",
    "REGISTRY_READ_ONLY": "Ask who runs the runtime: its policies come from files.",
    "INVALID_REQUEST": "Fix the argument that the message names.",
    "STREAM_LAGGED": "Subscribe again from the last sequence, and read faster.",
    "AGENT_NOT_FOUND": "Ask for the manifest without an agent id: it is the runtime's own.",
    "HISTORY_UNAVAILABLE": "Subscribe from a later sequence: the beginning is not kept any more.",
    "RECEIPT_UNAVAILABLE": "Wait for the Commitment: only a resolved session of a standard mode has a receipt.",
}
BY_CLASS = {
    "MacpSessionError": "Fix the argument that the message names; nothing was sent.",
    "MacpIdentityMismatchError": "Use the credential of the sender, or leave sender out; nothing was sent.",
    "MacpClosedError": "Make a new client.",
    "MacpUnsupportedError": "Ask initialize() what the runtime offers; nothing was sent.",
    "MacpSessionEndedError": "Look at state: EXPIRED means that nobody answered in time; ask in a new session.",
    "MacpConnectionError": "Fix the address or the TLS settings of the client as the message says.",
    "MacpTimeoutError": f"Whether it was accepted is not known. {_SAME_AGAIN}",
    "MacpRetryError": "See __cause__: it is the last failure.",
    "MacpTransportError": f"Try again when the runtime can be reached. {_SAME_AGAIN}",
}


def advice(kind: type, macp_code: str | None) -> str:
    """One sentence."""
    if macp_code in BY_CODE:
        return BY_CODE[macp_code]
    return next((BY_CLASS[base.__name__] for base in kind.__mro__ if base.__name__ in BY_CLASS), "Read the message.")
