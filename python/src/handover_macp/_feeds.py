"""Long-lived reads without I/O: what to ask, what an answer means, when to ask again. Both transports follow these.

R1. A subscription resumes after the last envelope that arrived, so nothing is lost and nothing comes twice.
R2. An inline error is an item like any other: it reaches the caller and the stream goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, Union

from . import models
from ._acks import ack_error
from ._convert import from_model, to_model
from ._wire import METHODS, Message, Method
from .auth import AuthConfig
from .constants import CONTROL_TYPES
from .errors import MacpAckError, MacpSessionError
from .validation import validate_integer, validate_session_id

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Delivery(Generic[T_co]):
    """One item; `sequence` is its place in the session's history where there is one.

    Suspend, resume and cancel are not counted: they have the place of the envelope that they follow.
    """

    item: T_co
    sequence: int | None = None


class Feed(Protocol[T_co]):
    """What a transport needs to know of a long-lived read."""

    method: Method
    auth: AuthConfig | None
    headers: Sequence[tuple[str, str]]
    """What a request says besides who it is."""

    @property
    def resumes(self) -> bool:
        """Whether it may be opened again."""

    def opening(self) -> list[Message]:
        """The first requests of a new connection."""

    def received(self, response: Message) -> Sequence[Union[Delivery[T_co], MacpAckError]]:
        """What a response means to the caller."""


class SessionFeed:
    """The bidirectional stream of one session."""

    method = METHODS["StreamSession"]
    headers: Sequence[tuple[str, str]] = (("handover-control", "1"),)

    def __init__(self, auth: AuthConfig | None) -> None:
        self.auth = auth
        self._session_id = ""
        self._sequence = 0
        # Controls are not counted, so a new connection brings those again that came last.
        self._uncounted: set[str] = set()

    @property
    def resumes(self) -> bool:
        return bool(self._session_id)

    def subscribe(self, session_id: str, after_sequence: int, connected: bool) -> None:
        """Follows a session. It must come first: behind other frames the sequence would not be known."""
        validate_session_id(session_id)
        validate_integer("after_sequence", after_sequence, 0, 2**63 - 1)
        if self._session_id == session_id:
            return
        if connected:
            raise MacpSessionError("session_id", "must come first: a stream follows one session, from its first frame on")
        self._session_id = session_id
        self._sequence = after_sequence

    def opening(self) -> list[Message]:
        if not self._session_id:
            return []
        return [self.method.request(subscribe_session_id=self._session_id, after_sequence=self._sequence)]

    def received(self, response: Message) -> list[Union[Delivery[models.Envelope], MacpAckError]]:
        if response.HasField("error"):
            return [ack_error(to_model(models.AckFailure, response.error))]
        if not response.HasField("envelope"):
            return []
        envelope = to_model(models.Envelope, response.envelope)
        if not self._session_id:
            return [Delivery(envelope)]
        if envelope.message_type in CONTROL_TYPES:
            if envelope.message_id in self._uncounted:
                return []
            self._uncounted.add(envelope.message_id)
        else:
            self._uncounted.clear()
            self._sequence += 1
        return [Delivery(envelope, self._sequence)]

    def envelope_frame(self, envelope: models.Envelope) -> Message:
        """The frame that sends an envelope."""
        return self.method.request(envelope=from_model("Envelope", envelope))
