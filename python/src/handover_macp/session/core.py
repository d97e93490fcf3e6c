"""The messages of a session, as operations. Sessions of every mode run these, synchronous ones and asyncio ones.

H1. Arguments are checked before the first effect.
H2. The projection takes in a message only after the server accepted it.
H3. What fails on the way is sent again under the same message id.
H4. The Commitment repeats the versions that the session is bound to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from .. import models
from .._client_core import ClientCore
from .._deadline import Deadline
from .._effects import Operation
from ..auth import AuthConfig
from ..constants import DEFAULT_MODE_VERSION
from ..envelopes import build_envelope, new_session_id
from ..errors import MacpAckError, MacpRetryError, MacpSessionError
from ..retry import RetryPolicy, retrying
from ..validation import validate_session_id, validate_text
from .projection import SessionProjection
from .speaker import Speaker, check_speaker

P = TypeVar("P", bound=SessionProjection)


class SessionCore(Generic[P]):
    """One session as seen by a client: its id, its versions, its projection; does no I/O."""

    def __init__(
        self,
        client: ClientCore,
        projection: type[P],
        session_id: str | None,
        mode_version: str,
        configuration_version: str,
        policy_version: str,
        auth: AuthConfig | None,
        retry: RetryPolicy | None,
    ) -> None:
        if mode_version != DEFAULT_MODE_VERSION:
            raise MacpSessionError("mode_version", f"must be {DEFAULT_MODE_VERSION!r}")
        self.client = client
        self.session_id = new_session_id() if session_id is None else validate_session_id(session_id)
        self.mode_version = mode_version
        self.configuration_version = validate_text("configuration_version", configuration_version)
        self.policy_version = validate_text("policy_version", policy_version)
        self.auth = auth
        self.retry = retry
        self.projection = projection(self.session_id)
        self.applies_own = True
        """False leaves the projection to the stream: it then changes in the server's order only."""
        self._participants: tuple[str, ...] = ()

    @property
    def participants(self) -> tuple[str, ...]:
        """Who takes part, as far as it is known here."""
        return self._participants or self.projection.participants

    def identity(self, speaker: Speaker) -> tuple[AuthConfig | None, str]:
        """The credential and the name of who speaks."""
        check_speaker(speaker)
        return self.client.identity(speaker.get("sender"), speaker.get("auth") or self.auth)

    def start(self, fields: Mapping[str, Any], speaker: Speaker) -> Operation[models.Ack]:
        """Sends a SessionStart; `fields` lack the versions."""
        versions = {
            "mode_version": self.mode_version,
            "configuration_version": self.configuration_version,
            "policy_version": self.policy_version,
        }
        return self._started(tuple(fields["participants"]), self.say("SessionStart", {**fields, **versions}, speaker))

    def _started(self, participants: tuple[str, ...], sending: Operation[models.Ack]) -> Operation[models.Ack]:
        ack = yield from sending
        self._participants = participants
        return ack

    def commit(self, fields: Mapping[str, Any], speaker: Speaker) -> Operation[models.Ack]:
        """Sends a Commitment; `fields` lack the versions."""
        self.identity(speaker)
        return self._commit(fields, speaker)

    def _commit(self, fields: Mapping[str, Any], speaker: Speaker) -> Operation[models.Ack]:
        deadline = self.client.deadline(speaker.get("timeout"))
        versions = yield from self._bound_versions(speaker, deadline)
        return (yield from self._built("Commitment", {**fields, **versions}, speaker, deadline))

    def _bound_versions(self, speaker: Speaker, deadline: Deadline) -> Operation[dict[str, str]]:
        """What the session is bound to: from its start when we saw it, else from the server."""
        start: Any = self.projection.session_start
        if start is None:
            credential, _ = self.identity(speaker)
            start = yield from self.client.get_session(self.session_id, credential, deadline.left)
        return {
            "mode_version": start.mode_version,
            "configuration_version": start.configuration_version,
            "policy_version": start.policy_version,
        }

    def metadata(self, auth: AuthConfig | None) -> Operation[models.SessionMetadata]:
        """What the server tells about the session."""
        return self.client.get_session(self.session_id, auth or self.auth, None)

    def control(self, method: str, reason: str, auth: AuthConfig | None) -> Operation[models.Ack]:
        """Cancel, suspend or resume."""
        return self.client.control(method, self.session_id, reason, auth or self.auth, None)

    def say(self, message_type: str, fields: Mapping[str, Any], speaker: Speaker) -> Operation[models.Ack]:
        """Sends one message of the session's mode."""
        return self._built(message_type, fields, speaker, self.client.deadline(speaker.get("timeout")))

    def _built(
        self, message_type: str, fields: Mapping[str, Any], speaker: Speaker, deadline: Deadline
    ) -> Operation[models.Ack]:
        credential, name = self.identity(speaker)
        envelope = build_envelope(
            mode=self.projection.mode,
            message_type=message_type,
            session_id=self.session_id,
            payload=fields,
            sender=name,
            message_id=speaker.get("message_id"),
        )
        return self._say(envelope, credential, deadline)

    def _say(
        self, envelope: models.Envelope, auth: AuthConfig | None, deadline: Deadline
    ) -> Operation[models.Ack]:
        def once(left: float | None) -> Operation[models.Ack]:
            return self.client.send(envelope, auth, left, True)

        ack = yield from self._deliver(once, deadline)
        if self.applies_own:
            self.projection.apply_envelope(envelope)
        return ack

    def _deliver(
        self, once: Callable[[float | None], Operation[models.Ack]], deadline: Deadline
    ) -> Operation[models.Ack]:
        if self.retry is None:
            return (yield from once(deadline.left))
        try:
            return (yield from retrying(once, self.retry, deadline))
        except MacpRetryError as error:
            # The last answer was a refusal: that says more than the number of attempts.
            if isinstance(error.__cause__, MacpAckError):
                raise error.__cause__ from None
            raise
