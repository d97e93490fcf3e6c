"""The asyncio session helper of Handoff Mode; projection and records are the same as in `handover_macp.handoff`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import models
from .._handoff_core import HandoffCore
from .._reconnect import ReconnectPolicy
from ..auth import AuthConfig
from ..constants import DEFAULT_CONFIGURATION_VERSION, DEFAULT_MODE_VERSION
from ..projection import HandoffProjection
from ..retry import RetryPolicy
from .client import AsyncMacpClient
from .stream import AsyncMacpStream


class AsyncHandoffSession:
    """One handoff session: start it, or join it by its id, and send its messages.

    `sender` names who speaks. A dev credential becomes that agent's; a real token never does. What fails on the way is
    sent again under the same message id, as `retry` says; None sends once.
    """

    def __init__(
        self,
        client: AsyncMacpClient,
        session_id: str | None = None,
        *,
        mode_version: str = DEFAULT_MODE_VERSION,
        configuration_version: str = DEFAULT_CONFIGURATION_VERSION,
        policy_version: str = "",
        auth: AuthConfig | None = None,
        retry: RetryPolicy | None = RetryPolicy(),
    ) -> None:
        self.client = client
        self._core = HandoffCore(
            client._core, session_id, mode_version, configuration_version, policy_version, auth, retry
        )

    @property
    def session_id(self) -> str:
        """The id of the session."""
        return self._core.session_id

    @property
    def handoff_projection(self) -> HandoffProjection:
        """What is known of the session: own accepted messages, and what its stream has brought."""
        return self._core.projection

    @property
    def projection(self) -> HandoffProjection:
        """Another name of `handoff_projection`."""
        return self._core.projection

    async def start(
        self,
        *,
        intent: str,
        participants: Sequence[str],
        ttl_ms: int,
        context: bytes | None = None,
        context_id: str = "",
        extensions: Mapping[str, bytes] | None = None,
        roots: Sequence[models.Root] | None = None,
        max_suspend_ms: int = 0,
        sender: str | None = None,
        auth: AuthConfig | None = None,
    ) -> models.Ack:
        """Starts the session. The sender becomes a participant; `context` is frozen under extension `context`."""
        return await self.client._run(
            self._core.start(
                intent=intent,
                participants=participants,
                ttl_ms=ttl_ms,
                context=context,
                context_id=context_id,
                extensions=extensions,
                roots=roots,
                max_suspend_ms=max_suspend_ms,
                sender=sender,
                auth=auth,
            )
        )

    async def offer(
        self,
        handoff_id: str,
        target_participant: str,
        *,
        scope: str = "",
        reason: str = "",
        sender: str | None = None,
        auth: AuthConfig | None = None,
    ) -> models.Ack:
        """Offers responsibility to one participant under a new id."""
        return await self.client._run(self._core.offer(handoff_id, target_participant, scope, reason, sender, auth))

    async def add_context(
        self,
        handoff_id: str,
        *,
        content_type: str = "application/octet-stream",
        context: bytes = b"",
        sender: str | None = None,
        auth: AuthConfig | None = None,
    ) -> models.Ack:
        """Attaches information to an offer; after the target's answer it is kept, marked late."""
        return await self.client._run(self._core.add_context(handoff_id, content_type, context, sender, auth))

    send_context = add_context

    async def accept_handoff(
        self,
        handoff_id: str,
        *,
        accepted_by: str = "",
        reason: str = "",
        sender: str | None = None,
        auth: AuthConfig | None = None,
    ) -> models.Ack:
        """Accepts an offer; only its target can."""
        return await self.client._run(
            self._core.answer("HandoffAccept", "accepted_by", handoff_id, accepted_by, reason, sender, auth)
        )

    async def decline(
        self,
        handoff_id: str,
        *,
        declined_by: str = "",
        reason: str = "",
        sender: str | None = None,
        auth: AuthConfig | None = None,
    ) -> models.Ack:
        """Declines an offer; only its target can."""
        return await self.client._run(
            self._core.answer("HandoffDecline", "declined_by", handoff_id, declined_by, reason, sender, auth)
        )

    async def commit(
        self,
        action: str | None = None,
        authority_scope: str | None = None,
        reason: str | None = None,
        *,
        commitment_id: str | None = None,
        outcome_positive: bool | None = None,
        supersedes: models.CommitmentRef | None = None,
        sender: str | None = None,
        auth: AuthConfig | None = None,
    ) -> models.Ack:
        """Resolves the session. What is not given comes from the history; the outcome follows from the action."""
        return await self.client._run(
            self._core.commit(
                action=action,
                authority_scope=authority_scope,
                reason=reason,
                commitment_id=commitment_id,
                outcome_positive=outcome_positive,
                supersedes=supersedes,
                sender=sender,
                auth=auth,
            )
        )

    async def metadata(self, *, auth: AuthConfig | None = None) -> models.SessionMetadata:
        """What the server tells about the session."""
        return await self.client._run(self._core.metadata(auth))

    async def cancel(self, reason: str = "", *, auth: AuthConfig | None = None) -> models.Ack:
        """Ends the session without an outcome."""
        return await self.client._run(self._core.control("CancelSession", reason, auth))

    async def suspend(self, reason: str = "", *, auth: AuthConfig | None = None) -> models.Ack:
        """Stops the session's clock."""
        return await self.client._run(self._core.control("SuspendSession", reason, auth))

    async def resume(self, reason: str = "", *, auth: AuthConfig | None = None) -> models.Ack:
        """Goes on with the suspended session."""
        return await self.client._run(self._core.control("ResumeSession", reason, auth))

    async def sync(
        self, *, timeout: float | None = 30.0, sender: str | None = None, auth: AuthConfig | None = None
    ) -> HandoffProjection:
        """Brings the projection up to date with what the server has accepted by now."""
        stream = self.open_stream(after_sequence=self.projection.last_sequence, sender=sender, auth=auth)
        async with stream:
            stream.finish()
            while await stream.read(timeout) is not None:
                pass
        return self.projection

    def open_stream(
        self,
        *,
        after_sequence: int = 0,
        sender: str | None = None,
        auth: AuthConfig | None = None,
        reconnect: ReconnectPolicy | None = None,
    ) -> AsyncMacpStream:
        """Follows the session: history, then what comes. Each envelope that is read updates the projection first."""
        credential, _ = self._core.client.identity(sender, auth or self._core.auth)
        stream = self.client.open_stream(
            auth=credential, reconnect=reconnect, on_envelope=self._core.projection.apply_envelope
        )
        stream.send_subscribe(self.session_id, after_sequence)
        return stream
