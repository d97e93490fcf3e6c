"""The classes of errors that are two things: how a refusal came, and what it says."""

from __future__ import annotations

from .errors import MacpAckError, MacpTooLargeError, MacpTransportError, MacpUnknownSessionError


class AckUnknownSession(MacpAckError, MacpUnknownSessionError):
    """The refusal of a message to a session that is not there."""


class AckTooLarge(MacpAckError, MacpTooLargeError):
    """The refusal of a message that is too large."""


class StatusUnknownSession(MacpTransportError, MacpUnknownSessionError):
    """The refusal of a call about a session that is not there."""


class StatusTooLarge(MacpTransportError, MacpTooLargeError):
    """The refusal of a call that is too large."""


def _shown_as(name: str, *kinds: type[Exception]) -> None:
    """What a traceback shows is the name to catch it by."""
    for kind in kinds:
        kind.__name__, kind.__qualname__, kind.__module__ = name, name, "handover_macp"


_shown_as("MacpUnknownSessionError", AckUnknownSession, StatusUnknownSession)
_shown_as("MacpTooLargeError", AckTooLarge, StatusTooLarge)

ACKS: dict[str, type[MacpAckError]] = {"SESSION_NOT_FOUND": AckUnknownSession, "PAYLOAD_TOO_LARGE": AckTooLarge}
STATUSES: dict[str | None, type[MacpTransportError]] = {
    "SESSION_NOT_FOUND": StatusUnknownSession,
    "PAYLOAD_TOO_LARGE": StatusTooLarge,
}
