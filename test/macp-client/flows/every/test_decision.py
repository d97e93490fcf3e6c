"""Decision Mode, through the session helper and its projection."""

from __future__ import annotations

from macp_sdk import DecisionSession

from conftest import Agent
from support import ALICE, BOB, DAVE, OPEN, RESOLVED, code_of, replayed

PEOPLE = ["coordinator", "alice", "bob"]


def started(agent: Agent, **options: object) -> DecisionSession:
    session = DecisionSession(agent("coordinator"), **options)
    ack = session.start(intent="pick a plan", participants=PEOPLE, ttl_ms=60_000)
    assert (ack.ok, ack.session_state) == (True, OPEN)
    return session


def test_a_decision_from_proposal_to_commitment(agent: Agent) -> None:
    session = started(agent)
    session.propose("p1", "canary", rationale="small", supporting_data=b"\x00\xff")
    session.propose("p2", "all at once", **ALICE)
    session.evaluate("p1", "approve", confidence=0.9, reason="low risk", **ALICE)
    session.evaluate("p2", "review", confidence=0.4, **BOB)
    session.raise_objection("p2", reason="no way back", severity="critical", **BOB)
    session.vote("p1", "approve", reason="ship", **ALICE)
    session.vote("p1", "approve", **BOB)
    session.vote("p2", "abstain", **BOB)
    assert session.projection.phase == "Voting"
    ack = session.commit(action="decision.selected", authority_scope="release", reason="p1 won")
    assert (ack.ok, ack.session_state) == (True, RESOLVED)

    seen = replayed(session, agent("bob")).decision_projection
    assert (seen.phase, seen.is_positive_outcome) == ("Committed", True)
    assert seen.majority_winner() == "p1"
    assert seen.vote_totals() == {"p1": 2, "p2": 0}
    assert seen.has_blocking_objection("p2") and not seen.has_blocking_objection("p1")
    assert [one.recommendation for one in seen.qualifying_evaluations()] == ["APPROVE"]
    assert seen.proposals["p2"].sender == "alice"
    assert seen.commitment.reason == "p1 won"

    metadata = session.metadata().metadata
    assert (metadata.state, metadata.initiator) == (RESOLVED, "coordinator")
    assert list(metadata.participants) == PEOPLE
    counts = {one.participant_id: one.message_count for one in metadata.participant_activity}
    assert counts == {"coordinator": 2, "alice": 3, "bob": 4}


def test_a_declined_decision(agent: Agent) -> None:
    session = started(agent)
    session.propose("p1", "canary")
    session.commit(action="decision.declined", authority_scope="release", reason="nobody wants it")
    assert replayed(session, agent("alice")).projection.is_positive_outcome is False


def test_refusals_carry_the_code_of_the_registry(agent: Agent) -> None:
    session = started(agent)
    assert code_of(lambda: session.vote("p1", "approve")) == "INVALID_ENVELOPE"
    session.propose("p1", "canary")
    assert code_of(lambda: session.propose("p1", "again")) == "INVALID_ENVELOPE"
    assert code_of(lambda: session.propose("p2", "x", **DAVE)) == "FORBIDDEN"
    session.vote("p1", "approve", **BOB)
    assert code_of(lambda: session.vote("p1", "reject", **BOB)) == "INVALID_ENVELOPE"
    assert code_of(lambda: session.propose("p2", "late")) == "INVALID_ENVELOPE"
    commitment = dict(action="decision.selected", authority_scope="release", reason="mine")
    assert code_of(lambda: session.commit(**commitment, **ALICE)) == "FORBIDDEN"
    session.commit(**commitment)
    assert code_of(lambda: session.vote("p1", "approve", **ALICE)) == "SESSION_NOT_OPEN"
    assert not session.projection.anomalies
    replayed(session, agent("bob"))


def test_participants_may_be_empty(agent: Agent) -> None:
    session = DecisionSession(agent("coordinator"))
    assert session.start(intent="", participants=[], ttl_ms=60_000).ok
    assert code_of(lambda: session.propose("p1", "alone")) == "FORBIDDEN"
