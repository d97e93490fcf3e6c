"""What every request shares: the credential, the deadline, and sending one envelope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import models
from ._acks import read_ack
from ._convert import from_model
from ._deadline import Deadline
from ._effects import Operation, call
from ._wire import Message
from .auth import AuthConfig
from .envelopes import build_envelope
from .errors import MacpSessionError
from .retry import RetryPolicy, retrying
from .validation import validate_bytes, validate_id, validate_kind, validate_number, validate_text


def _check_auth(auth: AuthConfig | None) -> None:
    if auth is not None:
        validate_kind("auth", auth, AuthConfig)


class MessageRequests:
    """Holds what all calls share and builds them; does no I/O."""

    def __init__(self, auth: AuthConfig | None, timeout: float | None, name: str, version: str) -> None:
        _check_auth(auth)
        self.auth = auth
        self.timeout = timeout
        self.name = name
        self.version = version

    def identity(self, sender: str | None, auth: AuthConfig | None) -> tuple[AuthConfig | None, str]:
        """The credential and sender of one message."""
        _check_auth(auth)
        chosen = auth or self.auth
        if sender is not None:
            validate_id("sender", sender)
        if chosen is None:
            return None, sender or ""
        return chosen.acting_as(sender)

    def _ask(
        self, method: str, auth: AuthConfig | None, timeout: float | None, **fields: Any
    ) -> Operation[Message]:
        _check_auth(auth)
        response: Message = yield call(method, auth or self.auth, self.seconds(timeout), **fields)
        return response

    def seconds(self, timeout: float | None) -> float | None:
        """How long a call may take: as the caller says, else as the client does."""
        if timeout is not None and not validate_number("timeout", timeout) > 0:
            raise MacpSessionError("timeout", "must be above 0")
        return self.timeout if timeout is None else timeout

    def deadline(self, timeout: float | None) -> Deadline:
        """The time of a call with everything that belongs to it."""
        return Deadline(self.seconds(timeout), strict=timeout is not None)

    def send(
        self, envelope: models.Envelope, auth: AuthConfig | None, timeout: float | None, raise_on_nack: bool
    ) -> Operation[models.Ack]:
        message = from_model("Envelope", envelope)
        response = yield from self._ask("Send", auth, timeout, envelope=message)
        return read_ack(response, raise_on_nack)

    def retry_send(
        self, envelope: models.Envelope, policy: RetryPolicy | None, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.Ack]:
        deadline = self.deadline(timeout)
        return retrying(lambda left: self.send(envelope, auth, left, True), policy or RetryPolicy(), deadline)

    def signal(
        self,
        signal_type: str,
        data: bytes,
        confidence: float,
        correlation_session_id: str,
        sender: str | None,
        auth: AuthConfig | None,
    ) -> Operation[models.Ack]:
        fields = {
            "signal_type": validate_text("signal_type", signal_type),
            "data": validate_bytes("data", data),
            "confidence": confidence,
            "correlation_session_id": correlation_session_id,
        }
        return self._ambient("Signal", "", "", fields, sender, auth)

    def progress(
        self, fields: Mapping[str, Any], session_id: str, mode: str, sender: str | None, auth: AuthConfig | None
    ) -> Operation[models.Ack]:
        validate_text("progress_token", fields["progress_token"])
        return self._ambient("Progress", session_id, mode, fields, sender, auth)

    def _ambient(
        self,
        message_type: str,
        session_id: str,
        mode: str,
        fields: Mapping[str, Any],
        sender: str | None,
        auth: AuthConfig | None,
    ) -> Operation[models.Ack]:
        credential, name = self.identity(sender, auth)
        envelope = build_envelope(
            mode=mode, message_type=message_type, session_id=session_id, payload=fields, sender=name
        )
        return self.send(envelope, credential, None, True)
