"""The synchronous client. Rules live in `_client_core`; this file only runs them."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

from ._client_core import ClientCore
from ._effects import Operation
from ._feeds import SessionFeed
from ._reconnect import ReconnectPolicy
from ._registry_calls import RegistryCalls
from ._session_calls import SessionCalls
from ._target import resolve_target
from ._transport import SyncTransport
from ._watch_calls import WatchCalls
from .auth import AuthConfig
from .errors import MacpAckError
from .models import Envelope
from .stream import MacpStream
from .version import VERSION

T = TypeVar("T")


class MacpClient(SessionCalls, RegistryCalls, WatchCalls):
    """A connection to a MACP server, safe to share between threads.

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
        self._transport = SyncTransport(
            resolve_target(target, secure, allow_insecure, root_certificates, private_key, certificate_chain)
        )

    def _run(self, operation: Operation[T]) -> T:
        return self._transport.run(operation)

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
    ) -> MacpStream:
        """A stream for one session; call `send_subscribe` on it to follow that session."""
        return MacpStream(
            self._transport,
            SessionFeed(auth or self.auth),
            reconnect=reconnect,
            on_inline_error=on_inline_error,
            on_envelope=on_envelope,
        )

    def close(self) -> None:
        """Closes the connection; calls and streams under way end."""
        self._transport.close()

    def __enter__(self) -> MacpClient:
        """For use with `with`."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the connection."""
        self.close()
