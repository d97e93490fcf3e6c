"""One session as a stream: sent over it, subscribed to, resumed; and what it says of mistakes."""

from __future__ import annotations

import queue

import pytest
from macp.v1 import envelope_pb2
from macp_sdk import (
    MODE_DECISION,
    DecisionSession,
    MacpTimeoutError,
    ProtoRegistry,
    build_commitment_payload,
    build_envelope,
    build_session_start_payload,
    new_session_id,
    serialize_message,
)
from macp_sdk.errors import parse_error_details
from macp_sdk.policy import VotingRules, build_decision_policy

from conftest import Agent
from support import fresh, history, status_of


def started(agent: Agent, **options: object) -> DecisionSession:
    session = DecisionSession(agent("coordinator"), **options)
    session.start(intent="x", participants=["coordinator", "alice"], ttl_ms=60_000)
    return session


def message(session_id: str, message_type: str, payload: bytes) -> envelope_pb2.Envelope:
    return build_envelope(
        mode=MODE_DECISION,
        message_type=message_type,
        session_id=session_id,
        payload=payload,
        sender="coordinator",
    )


def written(message_type: str, **fields: str) -> bytes:
    return ProtoRegistry().encode_known_payload(MODE_DECISION, message_type, fields)


def test_from_any_position_without_gap_or_double(agent: Agent) -> None:
    session = started(agent)
    for number in range(1, 5):
        session.propose(f"p{number}", "an option")
    sent = [one.message_id for one in session.projection.transcript]
    for after in range(6):
        ids = [one.message_id for one in history(agent("alice"), session.session_id, 5 - after, after=after)]
        assert ids == sent[after:]


def test_history_first_then_what_happens(agent: Agent) -> None:
    session = started(agent)
    stream = agent("alice").open_stream()
    stream.send_subscribe(session.session_id)
    assert stream.read(timeout=30).message_type == "SessionStart"
    with pytest.raises(MacpTimeoutError):
        stream.read(timeout=0.2)
    session.propose("p1", "an option")
    assert stream.read(timeout=30).message_type == "Proposal"
    stream.close()
    assert list(stream.responses(timeout=30)) == []


def test_sent_over_the_stream(agent: Agent) -> None:
    session_id = new_session_id()
    stream = agent("coordinator").open_stream()
    errors: queue.Queue = queue.Queue()
    stream.on_inline_error(errors.put)

    def send(message_type: str, payload: bytes) -> str:
        envelope = message(session_id, message_type, payload)
        stream.send(envelope)
        return envelope.message_id

    start = build_session_start_payload(intent="x", participants=["coordinator"], ttl_ms=60_000)
    sent = [
        send("SessionStart", serialize_message(start)),
        send("Proposal", written("Proposal", proposal_id="p1", option="a")),
    ]
    assert [stream.read(timeout=30).message_id for _ in sent] == sent
    wrong = send("Vote", written("Vote", proposal_id="p9", vote="APPROVE"))
    error = errors.get(timeout=30)
    assert (error.code, error.message_id, error.session_id) == ("INVALID_ENVELOPE", wrong, session_id)
    # The stream goes on.
    vote = send("Vote", written("Vote", proposal_id="p1", vote="APPROVE"))
    assert stream.read(timeout=30).message_id == vote
    stream.cancel()


def test_a_denial_over_the_stream(agent: Agent) -> None:
    policy = build_decision_policy(fresh("policy.votes"), "votes", voting=VotingRules(algorithm="majority"))
    assert agent("admin").register_policy(policy).ok
    session = started(agent, policy_version=policy.policy_id)
    session.propose("p1", "an option")
    stream = session.open_stream()
    errors: queue.Queue = queue.Queue()
    stream.on_inline_error(errors.put)
    commitment = build_commitment_payload(
        action="decision.selected", authority_scope="all", reason="x", policy_version=policy.policy_id
    )
    stream.send(message(session.session_id, "Commitment", serialize_message(commitment)))
    error = errors.get(timeout=30)
    assert error.code == "POLICY_DENIED"
    details = parse_error_details(error.details)
    assert [one.code for one in details.denials] == ["no_votes"]
    assert details.reasons == [details.denials[0].message]
    stream.cancel()


def test_streams_of_sessions_that_are_not_there_or_not_ones_own(agent: Agent) -> None:
    stream = agent("alice").open_stream()
    stream.send_subscribe(new_session_id())
    assert status_of(lambda: stream.read(timeout=30)) == ("NOT_FOUND", "SESSION_NOT_FOUND")

    session = started(agent)
    stream = agent("dave").open_stream()
    errors: queue.Queue = queue.Queue()
    stream.on_inline_error(errors.put)
    stream.send_subscribe(session.session_id)
    assert errors.get(timeout=30).code == "FORBIDDEN"
    stream.cancel()
