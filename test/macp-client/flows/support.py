"""What several of these tests ask of the server."""

from __future__ import annotations

from collections.abc import Callable

import grpc
import pytest
from macp.v1 import envelope_pb2
from macp_sdk import MacpAckError, MacpClient, MacpTransportError, macp_error_code, new_session_id
from macp_sdk.base_session import BaseSession

from conftest import auth

OPEN = envelope_pb2.SESSION_STATE_OPEN
RESOLVED = envelope_pb2.SESSION_STATE_RESOLVED
CANCELLED = envelope_pb2.SESSION_STATE_CANCELLED
SUSPENDED = envelope_pb2.SESSION_STATE_SUSPENDED

# Who sends a message, where it is not the client's own agent.
ALICE, BOB, CAROL, DAVE = ({"sender": name, "auth": auth(name)} for name in ("alice", "bob", "carol", "dave"))


def history(client: MacpClient, session_id: str, count: int, after: int = 0) -> list[envelope_pb2.Envelope]:
    """The next `count` accepted messages, as a stream that begins after `after` delivers them."""
    stream = client.open_stream()
    try:
        stream.send_subscribe(session_id, after_sequence=after)
        found = []
        while len(found) < count:
            envelope = stream.read(timeout=30)
            assert envelope is not None, f"the stream ended after {len(found)} messages"
            found.append(envelope)
        return found
    finally:
        stream.cancel()


def replayed(session: BaseSession, reader: MacpClient) -> BaseSession:
    """The same session as another client sees it, from its history alone; equal to what the sender kept."""
    kept = session.projection.transcript
    other = type(session)(reader, session_id=session.session_id)
    for envelope in history(reader, session.session_id, len(kept)):
        other.projection.apply_envelope(envelope)
    assert [one.message_id for one in other.projection.transcript] == [one.message_id for one in kept]
    assert other.projection.phase == session.projection.phase
    assert not other.projection.anomalies
    return other


def fresh(prefix: str) -> str:
    """An id that no other test uses."""
    return f"{prefix}.{new_session_id()[:8]}"


def code_of(action: Callable[[], object]) -> str:
    """The code with which the server refuses."""
    with pytest.raises(MacpAckError) as caught:
        action()
    assert caught.value.failure.message
    return caught.value.failure.code


def status_of(action: Callable[[], object]) -> tuple[str, str]:
    """The gRPC status with which the server refuses a call, and the protocol's own code beside it."""
    with pytest.raises((MacpTransportError, grpc.RpcError)) as caught:
        action()
    error = caught.value
    if isinstance(error, MacpTransportError):
        return error.code, error.macp_code
    return error.code().name, macp_error_code(error)
