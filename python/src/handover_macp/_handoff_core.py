"""The messages of a handoff session, as operations. Both session classes run these.

H1. Arguments are checked before the first effect.
H2. The projection takes in a message only after the server accepted it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import models
from ._client_core import ClientCore
from ._commitment import commitment_fields
from ._effects import Operation
from .auth import AuthConfig
from .constants import CONTEXT_EXTENSION, DEFAULT_MODE_VERSION, MODE_HANDOFF
from .envelopes import build_envelope, new_session_id
from .errors import MacpAckError, MacpRetryError, MacpSessionError
from .projection import HandoffProjection
from .retry import RetryPolicy, retrying
from .validation import (
    validate_bytes,
    validate_id,
    validate_integer,
    validate_participants,
    validate_session_id,
    validate_text,
    validate_ttl_ms,
)


class HandoffCore:
    """One session as seen by a client: its id, its versions, its projection."""

    def __init__(
        self,
        client: ClientCore,
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
        self.policy_version = policy_version
        self.auth = auth
        self.retry = retry
        self.projection = HandoffProjection(self.session_id)

    def start(
        self,
        *,
        intent: str,
        participants: Sequence[str],
        ttl_ms: int,
        context: bytes | None,
        context_id: str,
        extensions: Mapping[str, bytes] | None,
        roots: Sequence[models.Root] | None,
        max_suspend_ms: int,
        sender: str | None,
        auth: AuthConfig | None,
    ) -> Operation[models.Ack]:
        names = validate_participants(participants)
        _, owner = self.client.identity(sender, auth or self.auth)
        if owner and owner not in names:
            names.insert(0, owner)
        if owner and len(names) < 2:
            raise MacpSessionError("participants", "must name someone other than the owner")
        fields = {
            "intent": validate_text("intent", intent),
            "participants": names,
            "mode_version": self.mode_version,
            "configuration_version": self.configuration_version,
            "policy_version": self.policy_version,
            "ttl_ms": validate_ttl_ms(ttl_ms),
            "roots": [{"uri": root.uri, "name": root.name} for root in roots or ()],
            "context_id": context_id,
            "extensions": _with_context(extensions or {}, context),
            "max_suspend_ms": validate_integer("max_suspend_ms", max_suspend_ms, 0, 2**53 - 1),
        }
        return self._send("SessionStart", fields, sender, auth)

    def offer(
        self,
        handoff_id: str,
        target_participant: str,
        scope: str,
        reason: str,
        sender: str | None,
        auth: AuthConfig | None,
    ) -> Operation[models.Ack]:
        validate_id("handoff_id", handoff_id)
        validate_id("target_participant", target_participant)
        self._check_target(target_participant, sender, auth)
        fields = {
            "handoff_id": handoff_id,
            "target_participant": target_participant,
            "scope": scope,
            "reason": reason,
        }
        return self._send("HandoffOffer", fields, sender, auth)

    def add_context(
        self, handoff_id: str, content_type: str, context: bytes, sender: str | None, auth: AuthConfig | None
    ) -> Operation[models.Ack]:
        fields = {
            "handoff_id": validate_id("handoff_id", handoff_id),
            "content_type": validate_text("content_type", content_type),
            "context": validate_bytes("context", context),
        }
        return self._send("HandoffContext", fields, sender, auth)

    def answer(
        self,
        message_type: str,
        name_field: str,
        handoff_id: str,
        name: str,
        reason: str,
        sender: str | None,
        auth: AuthConfig | None,
    ) -> Operation[models.Ack]:
        """Accept or decline; who answers is the sender unless named."""
        _, answering = self.client.identity(sender, auth or self.auth)
        fields = {
            "handoff_id": validate_id("handoff_id", handoff_id),
            name_field: name or answering,
            "reason": reason,
        }
        return self._send(message_type, fields, sender, auth)

    def commit(
        self,
        *,
        action: str | None,
        authority_scope: str | None,
        reason: str | None,
        commitment_id: str | None,
        outcome_positive: bool | None,
        supersedes: models.CommitmentRef | None,
        sender: str | None,
        auth: AuthConfig | None,
    ) -> Operation[models.Ack]:
        fields = commitment_fields(
            self.projection, action, authority_scope, reason, commitment_id, outcome_positive, supersedes
        )
        credential, _ = self.client.identity(sender, auth or self.auth)
        versions = yield from self._bound_versions(credential)
        return (yield from self._send("Commitment", {**fields, **versions}, sender, auth))

    def _bound_versions(self, auth: AuthConfig | None) -> Operation[dict[str, str]]:
        """What the session is bound to: from its start when we saw it, else from the server."""
        start: Any = self.projection.session_start
        if start is None:
            start = yield from self.client.get_session(self.session_id, auth, None)
        return {
            "mode_version": start.mode_version,
            "configuration_version": start.configuration_version,
            "policy_version": start.policy_version,
        }

    def metadata(self, auth: AuthConfig | None) -> Operation[models.SessionMetadata]:
        return self.client.get_session(self.session_id, auth or self.auth, None)

    def control(self, method: str, reason: str, auth: AuthConfig | None) -> Operation[models.Ack]:
        return self.client.control(method, self.session_id, reason, auth or self.auth, None)

    def _check_target(self, target: str, sender: str | None, auth: AuthConfig | None) -> None:
        start = self.projection.session_start
        if start is not None and target not in start.participants:
            raise MacpSessionError("target_participant", f"{target!r} is not a participant of this session")
        if target == self.client.identity(sender, auth or self.auth)[1]:
            raise MacpSessionError("target_participant", "must not be the owner")

    def _send(
        self, message_type: str, fields: Mapping[str, Any], sender: str | None, auth: AuthConfig | None
    ) -> Operation[models.Ack]:
        credential, name = self.client.identity(sender, auth or self.auth)
        envelope = build_envelope(
            mode=MODE_HANDOFF,
            message_type=message_type,
            session_id=self.session_id,
            payload=fields,
            sender=name,
        )

        def once() -> Operation[models.Ack]:
            return self.client.send(envelope, credential, None, True)

        ack = yield from self._deliver(once)
        self.projection.apply_envelope(envelope)
        return ack

    def _deliver(self, once: Callable[[], Operation[models.Ack]]) -> Operation[models.Ack]:
        if self.retry is None:
            return (yield from once())
        try:
            return (yield from retrying(once, self.retry))
        except MacpRetryError as error:
            # The last answer was a refusal: that says more than the number of attempts.
            if isinstance(error.__cause__, MacpAckError):
                raise error.__cause__ from None
            raise


def _with_context(extensions: Mapping[str, bytes], context: bytes | None) -> dict[str, bytes]:
    values = {key: validate_bytes("extensions", value) for key, value in extensions.items()}
    if context is None:
        return values
    if CONTEXT_EXTENSION in values:
        raise MacpSessionError("context", f"is also given as extension {CONTEXT_EXTENSION!r}")
    return {**values, CONTEXT_EXTENSION: validate_bytes("context", context)}
