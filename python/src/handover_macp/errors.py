"""What can go wrong, by what the caller can do about it. Every error of the SDK is a `MacpSdkError`.

Before anything is sent: `MacpSessionError`, `MacpIdentityMismatchError`, `MacpClosedError`, `MacpUnsupportedError`. In an
exchange: `MacpTransportError` and below, and `MacpAckError`, the refusal of a message. Two names go by the protocol's
code, however the refusal came: `MacpUnknownSessionError` and `MacpTooLargeError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._advice import advice

if TYPE_CHECKING:
    from .models import Ack, AckFailure


@dataclass(frozen=True)
class PolicyDenial:
    """One reason for which a policy said no. Codes are an open set: treat one that you do not know as `unspecified`."""

    code: str
    """Which condition is not met."""
    message: str
    """The same for people; names nobody."""
    participants: tuple[str, ...] = ()
    """Whom it is about; empty when nobody in particular is meant."""


@dataclass(frozen=True)
class Refusal:
    """What a refusal says for programs."""

    macp_code: str | None = None
    session_id: str = ""
    message_id: str = ""
    reasons: Sequence[str] = ()
    denials: Sequence[PolicyDenial] = ()
    retry_after_ms: int | None = None


class MacpSdkError(Exception):
    """Base of every error that the SDK raises; its fields are empty where there is nothing to say.

    `macp_code` is the protocol's code, `session_id` and `message_id` what was meant, `reasons` and `denials` what a policy
    says, `retry_after_ms` how long the server wants one to wait.
    """

    def __init__(self, message: str, refusal: Refusal = Refusal()) -> None:
        super().__init__(message)
        self.macp_code: str | None = refusal.macp_code
        self.session_id = refusal.session_id
        self.message_id = refusal.message_id
        self.reasons = tuple(refusal.reasons)
        self.denials = tuple(refusal.denials)
        self.retry_after_ms = refusal.retry_after_ms

    @property
    def advice(self) -> str:
        """What to do next, in one sentence."""
        return advice(type(self), self.macp_code)


class MacpSessionError(MacpSdkError):
    """An argument is wrong; nothing was sent. `argument` is its name."""

    def __init__(self, argument: str, problem: str) -> None:
        super().__init__(f"{argument} {problem}")
        self.argument = argument


class MacpIdentityMismatchError(MacpSdkError):
    """A sender was named that the credential does not stand for; nothing was sent."""

    def __init__(self, expected_sender: str, actual_sender: str) -> None:
        super().__init__(f"the credential belongs to {expected_sender!r}, but sender is {actual_sender!r}")
        self.argument = "sender"
        self.expected_sender = expected_sender
        self.actual_sender = actual_sender


class MacpClosedError(MacpSdkError):
    """The client, or the stream, was closed before the call."""


class MacpUnsupportedError(MacpSdkError):
    """The server does not offer what was asked for; nothing was sent."""


class MacpUnknownSessionError(MacpSdkError):
    """The session id names no session on this server."""


class MacpTooLargeError(MacpSdkError):
    """What was sent is too large."""


class MacpTransportError(MacpSdkError):
    """The call itself failed. `code` is the name of the gRPC status, such as `UNAVAILABLE`."""

    def __init__(self, message: str, code: str = "UNKNOWN", refusal: Refusal = Refusal()) -> None:
        super().__init__(f"{code}: {message}", refusal)
        self.code = code


class MacpConnectionError(MacpTransportError):
    """No connection because of how it was asked for: the message names the mistake. Trying again does not help."""


class MacpTimeoutError(MacpTransportError):
    """No answer, or nothing on a stream, within the given time."""

    def __init__(self, message: str, refusal: Refusal = Refusal()) -> None:
        super().__init__(message, "DEADLINE_EXCEEDED", refusal)


class MacpRetryError(MacpTransportError):
    """Every attempt failed, `attempts` in all."""

    def __init__(self, message: str, code: str, attempts: int, refusal: Refusal = Refusal()) -> None:
        super().__init__(message, code, refusal)
        self.attempts = attempts

    @property
    def failure(self) -> BaseException | None:
        """The error of the last attempt."""
        return self.__cause__


class MacpAckError(MacpSdkError):
    """The server refused a message; `ack` is its answer. Nothing was accepted and the message id is not used up."""

    def __init__(self, code: str, message: str, refusal: Refusal = Refusal(), ack: Ack | None = None) -> None:
        super().__init__(f"{code}: {message}", refusal)
        self.code = code
        self.macp_code = code
        self.message = message
        self.ack = ack

    @property
    def failure(self) -> AckFailure | None:
        """Why it was refused, as the server wrote it; None where the refusal did not come as an answer."""
        return None if self.ack is None else self.ack.error
