"""Proposal Mode, through the session helper and its projection."""

from __future__ import annotations

from macp_sdk import ProposalSession

from conftest import Agent
from support import ALICE, BOB, code_of, replayed

CLOSING = dict(authority_scope="procurement", reason="talked over")


def started(agent: Agent) -> ProposalSession:
    session = ProposalSession(agent("coordinator"))
    assert session.start(intent="a price", participants=["alice", "bob"], ttl_ms=60_000).ok
    return session


def test_a_counter_proposal_that_both_accept(agent: Agent) -> None:
    session = started(agent)
    session.propose("p1", "100", summary="list price", details=b"{}", tags=["net", "30 days"], **BOB)
    session.counter_propose("p2", "p1", "80", summary="all I have", **ALICE)
    session.accept("p1", **ALICE)
    assert code_of(lambda: session.commit(action="proposal.accepted", **CLOSING)) == "INVALID_ENVELOPE"
    session.accept("p2", reason="fine", **BOB)
    session.accept("p2", **ALICE)
    session.commit(action="proposal.accepted", **CLOSING)

    seen = replayed(session, agent("bob")).proposal_projection
    assert seen.accepted_proposal() == "p2"
    assert not seen.is_accepted("p1")
    assert seen.proposals["p2"].supersedes == "p1"
    assert seen.proposals["p1"].tags == ["net", "30 days"]
    assert seen.is_positive_outcome is True


def test_withdrawn_by_its_author_alone(agent: Agent) -> None:
    session = started(agent)
    session.propose("p1", "100", **BOB)
    assert code_of(lambda: session.withdraw("p1", **ALICE)) == "FORBIDDEN"
    session.withdraw("p1", reason="a mistake", **BOB)
    assert code_of(lambda: session.accept("p1", **ALICE)) == "INVALID_ENVELOPE"
    assert replayed(session, agent("alice")).proposal_projection.live_proposals() == {}


def test_a_terminal_rejection_ends_in_a_negative_commitment(agent: Agent) -> None:
    session = started(agent)
    session.propose("p1", "100", **BOB)
    session.reject("p1", reason="too much", **ALICE)
    assert session.projection.phase == "Negotiating"
    session.reject("p1", terminal=True, reason="far too much", **ALICE)
    session.commit(action="proposal.rejected", **CLOSING)
    seen = replayed(session, agent("alice")).proposal_projection
    assert seen.is_terminally_rejected("p1")
    assert seen.is_positive_outcome is False
