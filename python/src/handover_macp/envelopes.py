"""Building and reading envelopes. `payload` arguments are field names and values of the message's protobuf type."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from typing import Any

from ._convert import plain
from ._wire import MESSAGE_NAMES, Message, message_class
from .constants import MACP_VERSION, MODE_MULTI_ROUND, STANDARD_MODES
from .errors import MacpSdkError, MacpSessionError
from .models import Envelope
from .validation import validate_id, validate_text

_CORE_PAYLOADS = {
    "SessionStart": "macp.v1.SessionStartPayload",
    "SessionCancel": "macp.v1.SessionCancelPayload",
    "SessionSuspend": "macp.v1.SessionSuspendPayload",
    "SessionResume": "macp.v1.SessionResumePayload",
    "Commitment": "macp.v1.CommitmentPayload",
    "Signal": "macp.v1.SignalPayload",
    "Progress": "macp.v1.ProgressPayload",
}
_PAYLOAD_PACKAGES = {
    **{mode: mode.replace("macp.mode.", "macp.modes.", 1) for mode in STANDARD_MODES},
    MODE_MULTI_ROUND: "macp.modes.multi_round.v1",
}
_NEGATIVE_ENDINGS = ("rejected", "failed", "declined", "no_target")
_POSITIVE_ENDINGS = ("selected", "accepted", "completed", "approved")


def new_session_id() -> str:
    """A fresh session id (UUID version 4)."""
    return str(uuid.uuid4())


def new_message_id() -> str:
    """A fresh message id (UUID version 4)."""
    return str(uuid.uuid4())


def new_commitment_id() -> str:
    """A fresh commitment id (UUID version 4)."""
    return str(uuid.uuid4())


def now_unix_ms() -> int:
    """The time of this machine's clock in milliseconds."""
    return time.time_ns() // 1_000_000


def infer_outcome_positive(action: str) -> bool | None:
    """What the ending of an action says of the outcome, in any case of letters; None when it says nothing."""
    text = action.lower()
    if text.endswith(_NEGATIVE_ENDINGS):
        return False
    return True if text.endswith(_POSITIVE_ENDINGS) else None


def outcome_of(action: str, given: bool | None) -> bool:
    """The outcome that a Commitment states; what is given must not contradict the action's ending."""
    said = infer_outcome_positive(action)
    if given is None and said is None:
        known = f"the endings {', '.join(_POSITIVE_ENDINGS)} and {', '.join(_NEGATIVE_ENDINGS)}"
        raise MacpSessionError("outcome_positive", f"is missing, and the action {action!r} does not say it: only {known} do")
    if given is not None and said is not None and given != said:
        word = "positive" if said else "negative"
        raise MacpSessionError("outcome_positive", f"is {given} but the action {action!r} says a {word} outcome")
    return bool(said if given is None else given)


def build_envelope(
    *,
    mode: str,
    message_type: str,
    session_id: str,
    payload: bytes | Mapping[str, Any],
    sender: str = "",
    message_id: str | None = None,
    macp_version: str = MACP_VERSION,
    timestamp_unix_ms: int | None = None,
) -> Envelope:
    """An envelope ready to send, with a fresh message id and the time now unless they are given."""
    if macp_version != MACP_VERSION:
        raise MacpSessionError("macp_version", f"must be {MACP_VERSION!r}")
    validate_text("message_type", message_type)
    identity = new_message_id() if message_id is None else validate_id("message_id", message_id)
    data = payload if isinstance(payload, bytes) else encode_payload(mode, message_type, payload)
    time_ms = now_unix_ms() if timestamp_unix_ms is None else timestamp_unix_ms
    return Envelope(macp_version, mode, message_type, identity, session_id, sender, time_ms, data)


def encode_payload(mode: str, message_type: str, fields: Mapping[str, Any]) -> bytes:
    """The bytes of a payload given by its fields."""
    payload_class = _payload_class(mode, message_type)
    if payload_class is None:
        raise MacpSessionError("message_type", f"{message_type!r} has no known payload in mode {mode!r}; give bytes")
    try:
        return bytes(payload_class(**fields).SerializeToString())
    except (TypeError, ValueError) as error:
        raise MacpSessionError("payload", f"cannot be encoded: {error}") from error


def decode_payload(envelope: Envelope) -> dict[str, Any] | None:
    """The fields of an envelope's payload, or None when its type is not known."""
    message = parse_payload(envelope)
    return None if message is None else dict(plain(message))


def parse_payload(envelope: Envelope) -> Message | None:
    """The payload as a protobuf message, or None when its type is not known."""
    payload_class = _payload_class(envelope.mode, envelope.message_type)
    if payload_class is None:
        return None
    try:
        return payload_class.FromString(envelope.payload)
    except Exception as error:  # The class of a decoding error differs between protobuf versions.
        raise MacpSdkError(f"the payload of {envelope.message_id} is not a {envelope.message_type}") from error


def _payload_class(mode: str, message_type: str) -> Message | None:
    name = _CORE_PAYLOADS.get(message_type)
    if name is None and mode in _PAYLOAD_PACKAGES:
        name = f"{_PAYLOAD_PACKAGES[mode]}.{message_type}Payload"
    return message_class(name) if name in MESSAGE_NAMES else None
