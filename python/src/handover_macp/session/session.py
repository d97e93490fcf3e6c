"""What synchronous sessions of every mode share."""

from __future__ import annotations

from typing import ClassVar

from .._effects import Operation
from .._reconnect import ReconnectPolicy
from ..auth import AuthConfig
from ..client import MacpClient
from ..constants import DEFAULT_CONFIGURATION_VERSION, DEFAULT_MODE_VERSION, DEFAULT_POLICY_VERSION
from ..models import Ack, SessionMetadata
from ..retry import RetryPolicy
from ..stream import MacpStream
from ..validation import validate_kind
from .core import P, SessionCore
from .messages import SessionMessages


class Session(SessionMessages[Ack, P]):
    """One session: start it, or join it by its id, and send its messages.

    `sender` names who speaks. A dev credential becomes that agent's; a real token never does. What fails on the way is
    sent again under the same message id, as `retry` says; None sends once.
    """

    _projection_type: ClassVar[type]

    def __init__(
        self,
        client: MacpClient,
        session_id: str | None = None,
        *,
        mode_version: str = DEFAULT_MODE_VERSION,
        configuration_version: str = DEFAULT_CONFIGURATION_VERSION,
        policy_version: str = DEFAULT_POLICY_VERSION,
        auth: AuthConfig | None = None,
        retry: RetryPolicy | None = RetryPolicy(),
    ) -> None:
        validate_kind("client", client, MacpClient)
        self.client = client
        self._core = SessionCore(
            client._core,
            self._projection_type,
            session_id,
            mode_version,
            configuration_version,
            policy_version,
            auth,
            retry,
        )

    def _give(self, operation: Operation[Ack]) -> Ack:
        return self.client._run(operation)

    def metadata(self, *, auth: AuthConfig | None = None) -> SessionMetadata:
        """What the server tells about the session."""
        return self.client._run(self._core.metadata(auth))

    def sync(self, *, timeout: float | None = 30.0, sender: str | None = None, auth: AuthConfig | None = None) -> P:
        """Brings the projection up to date with what the server has accepted by now."""
        stream = self.open_stream(after_sequence=self.projection.last_sequence, sender=sender, auth=auth)
        with stream:
            stream.finish()
            while stream.read(timeout) is not None:
                pass
        return self.projection

    def open_stream(
        self,
        *,
        after_sequence: int = 0,
        sender: str | None = None,
        auth: AuthConfig | None = None,
        reconnect: ReconnectPolicy | None = None,
    ) -> MacpStream:
        """Follows the session: history, then what comes. Each envelope that is read updates the projection first."""
        credential, _ = self._core.client.identity(sender, auth or self._core.auth)
        stream = self.client.open_stream(
            auth=credential, reconnect=reconnect, on_envelope=self.projection.apply_envelope
        )
        stream.send_subscribe(self.session_id, after_sequence)
        return stream
