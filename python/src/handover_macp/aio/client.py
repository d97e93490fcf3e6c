"""The asyncio client. Rules live in `_client_core`; this file only runs them."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

from .._client_core import ClientCore
from .._effects import Operation
from .._feeds import SessionFeed
from .._reconnect import ReconnectPolicy
from .._target import resolve_target
from ..auth import AuthConfig
from ..errors import MacpAckError
from ..models import Envelope
from ..version import VERSION
from ._registry_calls import AsyncRegistryCalls
from ._session_calls import AsyncSessionCalls
from ._transport import AsyncTransport
from ._watch_calls import AsyncWatchCalls
from .stream import AsyncMacpStream

T = TypeVar("T")


class AsyncMacpClient(AsyncSessionCalls, AsyncRegistryCalls, AsyncWatchCalls):
    """A connection to a MACP server, for one event loop.

    Without TLS (`secure=False`) only this machine can be reached, unless `allow_insecure=True`.
    """

    def __init__(
        self,
        target: str,
        *,
        secure: bool | None = None,
        allow_insecure: bool = False,
        auth: AuthConfig | None = None,
        root_certificates: bytes | None = None,
        private_key: bytes | None = None,
        certificate_chain: bytes | None = None,
        default_timeout: float | None = 30.0,
        client_name: str = "handover-macp-sdk",
        client_version: str = VERSION,
    ) -> None:
        self._core = ClientCore(auth, default_timeout, client_name, client_version)
        self._transport = AsyncTransport(
            resolve_target(target, secure, allow_insecure, root_certificates, private_key, certificate_chain)
        )

    async def _run(self, operation: Operation[T]) -> T:
        return await self._transport.run(operation)

    @property
    def auth(self) -> AuthConfig | None:
        """The credential used where a call names no other."""
        return self._core.auth

    def sender_hint(self, auth: AuthConfig | None = None) -> str:
        """The sender that a message would carry; empty when only the server knows."""
        return self._core.identity(None, auth)[1]

    def open_stream(
        self,
        *,
        auth: AuthConfig | None = None,
        reconnect: ReconnectPolicy | None = None,
        on_inline_error: Callable[[MacpAckError], None] | None = None,
        on_envelope: Callable[[Envelope, int | None], object] | None = None,
    ) -> AsyncMacpStream:
        """A stream for one session; call `send_subscribe` on it to follow that session."""
        return AsyncMacpStream(
            self._transport,
            SessionFeed(auth or self.auth),
            reconnect=reconnect,
            on_inline_error=on_inline_error,
            on_envelope=on_envelope,
        )

    async def close(self) -> None:
        """Closes the connection; calls and streams under way end."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncMacpClient:
        """For use with `async with`."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the connection."""
        await self.close()
