"""What can go wrong. Every error of the SDK is a `MacpSdkError`.

Two families: errors raised before anything is sent (`MacpSessionError`, `MacpIdentityMismatchError`), which name the
argument, and errors of an exchange (`MacpTransportError` and below, `MacpAckError`), which carry its code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .models import Ack


class MacpSdkError(Exception):
    """Base of every error that the SDK raises."""


class MacpSessionError(MacpSdkError):
    """An argument is wrong; nothing was sent. `argument` is its name."""

    def __init__(self, argument: str, problem: str) -> None:
        super().__init__(f"{argument}: {problem}")
        self.argument = argument


class MacpIdentityMismatchError(MacpSdkError):
    """A sender was named that the credential does not stand for; nothing was sent."""

    def __init__(self, expected_sender: str, actual_sender: str) -> None:
        super().__init__(f"sender: the credential is for {expected_sender!r}, not for {actual_sender!r}")
        self.argument = "sender"
        self.expected_sender = expected_sender
        self.actual_sender = actual_sender


class MacpTransportError(MacpSdkError):
    """The call itself failed. `code` is the name of the gRPC status, such as `UNAVAILABLE`."""

    def __init__(self, message: str, code: str = "UNKNOWN") -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class MacpTimeoutError(MacpTransportError):
    """No answer, or nothing on a stream, within the given time."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "DEADLINE_EXCEEDED")


class MacpRetryError(MacpTransportError):
    """Every attempt failed; `__cause__` is the last failure."""

    def __init__(self, message: str, code: str, attempts: int) -> None:
        super().__init__(message, code)
        self.attempts = attempts


class MacpAckError(MacpSdkError):
    """The server refused a message. Only `code` is contractual; `reasons` are those of a policy."""

    def __init__(
        self,
        code: str,
        message: str,
        session_id: str = "",
        message_id: str = "",
        reasons: Sequence[str] = (),
        ack: Ack | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.session_id = session_id
        self.message_id = message_id
        self.reasons = tuple(reasons)
        self.ack = ack
