"""Calls of the asyncio client about messages and sessions."""

from __future__ import annotations

from typing import TypeVar

from .. import models
from .._client_core import ClientCore
from .._effects import Operation
from ..auth import AuthConfig
from ..receipt import DecisionReceipt, ReceiptKeySet
from ..retry import RetryPolicy
from ..what_if import WhatIfReplay

T = TypeVar("T")


class AsyncSessionCalls:
    """What a client can ask about messages and sessions."""

    _core: ClientCore

    async def _run(self, operation: Operation[T]) -> T:
        raise NotImplementedError

    async def initialize(self, *, timeout: float | None = None) -> models.InitializeResult:
        """Agrees on a protocol version and tells what the server can do."""
        return await self._run(self._core.initialize(timeout))

    async def send(
        self,
        envelope: models.Envelope,
        *,
        auth: AuthConfig | None = None,
        timeout: float | None = None,
        raise_on_nack: bool = True,
    ) -> models.Ack:
        """Sends one envelope. A refusal raises MacpAckError unless `raise_on_nack` is false."""
        return await self._run(self._core.send(envelope, auth, timeout, raise_on_nack))

    async def retry_send(
        self,
        envelope: models.Envelope,
        *,
        policy: RetryPolicy | None = None,
        auth: AuthConfig | None = None,
        timeout: float | None = None,
    ) -> models.Ack:
        """Sends one envelope, again if need be, always under the same message id."""
        return await self._run(self._core.retry_send(envelope, policy, auth, timeout))

    async def send_signal(
        self,
        signal_type: str,
        *,
        data: bytes = b"",
        confidence: float = 0.0,
        correlation_session_id: str = "",
        sender: str | None = None,
        auth: AuthConfig | None = None,
    ) -> models.Ack:
        """Sends a signal: non-binding, outside every session, never stored."""
        return await self._run(self._core.signal(signal_type, data, confidence, correlation_session_id, sender, auth))

    async def send_progress(
        self,
        progress_token: str,
        progress: float,
        total: float,
        *,
        message: str = "",
        target_message_id: str = "",
        session_id: str = "",
        mode: str = "",
        sender: str | None = None,
        auth: AuthConfig | None = None,
    ) -> models.Ack:
        """Tells how far some work is; it never enters a session's history."""
        fields = {
            "progress_token": progress_token,
            "progress": progress,
            "total": total,
            "message": message,
            "target_message_id": target_message_id,
        }
        return await self._run(self._core.progress(fields, session_id, mode, sender, auth))

    async def get_session(
        self, session_id: str, *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> models.SessionMetadata:
        """What the server tells about a session."""
        return await self._run(self._core.get_session(session_id, auth, timeout))

    async def list_sessions(
        self, *, page_size: int = 0, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> list[models.SessionMetadata]:
        """Every session the caller may see, over as many pages as it takes."""
        return await self._run(self._core.list_sessions(page_size, auth, timeout))

    async def list_sessions_page(
        self,
        *,
        page_size: int = 0,
        page_token: str = "",
        auth: AuthConfig | None = None,
        timeout: float | None = None,
    ) -> models.SessionPage:
        """One page of sessions; `page_token` is the `next_page_token` of the page before."""
        return await self._run(self._core.list_sessions_page(page_size, page_token, auth, timeout))

    async def cancel_session(
        self,
        session_id: str,
        reason: str = "",
        *,
        auth: AuthConfig | None = None,
        timeout: float | None = None,
        raise_on_nack: bool = True,
    ) -> models.Ack:
        """Ends a session without an outcome."""
        return await self._run(self._core.control("CancelSession", session_id, reason, auth, timeout, raise_on_nack))

    async def suspend_session(
        self,
        session_id: str,
        reason: str = "",
        *,
        auth: AuthConfig | None = None,
        timeout: float | None = None,
        raise_on_nack: bool = True,
    ) -> models.Ack:
        """Stops a session's clock; no message is accepted until it is resumed."""
        return await self._run(self._core.control("SuspendSession", session_id, reason, auth, timeout, raise_on_nack))

    async def resume_session(
        self,
        session_id: str,
        reason: str = "",
        *,
        auth: AuthConfig | None = None,
        timeout: float | None = None,
        raise_on_nack: bool = True,
    ) -> models.Ack:
        """Goes on with a suspended session."""
        return await self._run(self._core.control("ResumeSession", session_id, reason, auth, timeout, raise_on_nack))

    async def get_decision_receipt(
        self, session_id: str, *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> DecisionReceipt:
        """The receipt of a resolved session of a standard mode: the same bytes for ever."""
        return await self._run(self._core.get_decision_receipt(session_id, auth, timeout))

    async def get_receipt_keys(self, *, timeout: float | None = None) -> ReceiptKeySet:
        """The public keys with which this server signs, and has signed, receipts."""
        return await self._run(self._core.get_receipt_keys(timeout))

    async def what_if_replay(
        self,
        session_id: str,
        candidate: models.PolicyDescriptor,
        *,
        auth: AuthConfig | None = None,
        timeout: float | None = None,
    ) -> WhatIfReplay:
        """What would have come of a session under another policy; nothing is stored."""
        return await self._run(self._core.what_if_replay(session_id, candidate, auth, timeout))
