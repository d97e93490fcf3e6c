"""The built-in extension mode, for which the client has payloads but no session helper."""

from __future__ import annotations

import json

from macp_sdk import (
    MODE_MULTI_ROUND,
    MacpClient,
    ProtoRegistry,
    build_commitment_payload,
    build_contribute_payload,
    build_envelope,
    build_session_start_payload,
    new_session_id,
    serialize_message,
)

from conftest import Agent
from support import RESOLVED, code_of, history


def send(client: MacpClient, session_id: str, message_type: str, payload: bytes):
    envelope = build_envelope(
        mode=MODE_MULTI_ROUND,
        message_type=message_type,
        session_id=session_id,
        payload=payload,
        sender=client.auth.sender,
    )
    return client.send(envelope)


def contributed(value: str) -> bytes:
    return serialize_message(build_contribute_payload(value))


def commitment() -> bytes:
    fields = dict(action="rounds.completed", authority_scope="naming", reason="agreed")
    return serialize_message(build_commitment_payload(**fields))


def test_rounds_until_all_agree(agent: Agent) -> None:
    coordinator, alice, bob = agent("coordinator"), agent("alice"), agent("bob")
    session_id = new_session_id()
    start = build_session_start_payload(intent="a name", participants=["alice", "bob"], ttl_ms=60_000)
    send(coordinator, session_id, "SessionStart", serialize_message(start))
    send(alice, session_id, "Contribute", contributed("ember"))
    # As clients of before the protobuf payload wrote it.
    send(bob, session_id, "Contribute", json.dumps({"value": "slate"}).encode())
    early = code_of(lambda: send(coordinator, session_id, "Commitment", commitment()))
    assert early == "INVALID_ENVELOPE"
    send(bob, session_id, "Contribute", contributed("ember"))
    late = code_of(lambda: send(alice, session_id, "Contribute", contributed("slate")))
    assert late == "INVALID_ENVELOPE"
    assert code_of(lambda: send(alice, session_id, "Commitment", commitment())) == "FORBIDDEN"
    assert send(coordinator, session_id, "Commitment", commitment()).session_state == RESOLVED

    registry = ProtoRegistry()
    _, *contributions, end = history(alice, session_id, 5)
    read = [registry.decode_known_payload(one.mode, one.message_type, one.payload) for one in contributions]
    assert [one.get("json", one)["value"] for one in read] == ["ember", "slate", "ember"]
    assert end.message_type == "Commitment"
