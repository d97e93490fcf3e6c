"""The shortest way to the end of a session, for each standard mode."""

from __future__ import annotations

from macp_sdk import DecisionSession, HandoffSession, ProposalSession, QuorumSession, TaskSession
from macp_sdk.base_session import BaseSession

from conftest import Agent
from support import ALICE


def decide(session: DecisionSession) -> None:
    session.propose("p1", "canary", **ALICE)
    session.vote("p1", "approve", **ALICE)


def agree(session: ProposalSession) -> None:
    session.propose("p1", "80", **ALICE)
    session.accept("p1", **ALICE)
    session.accept("p1")


def work(session: TaskSession) -> None:
    session.request_task("t1", "report")
    session.accept_task("t1", **ALICE)
    session.complete_task("t1", output=b"x", **ALICE)


def hand_over(session: HandoffSession) -> None:
    session.offer("h1", "alice")
    session.accept_handoff("h1", **ALICE)


def approve(session: QuorumSession) -> None:
    session.request_approval("r1", "deploy", required_approvals=1)
    session.approve("r1", **ALICE)


WAYS = {
    DecisionSession: (decide, "decision.selected"),
    ProposalSession: (agree, "proposal.accepted"),
    TaskSession: (work, "task.completed"),
    HandoffSession: (hand_over, "handoff.accepted"),
    QuorumSession: (approve, "quorum.approved"),
}


def opened(agent: Agent, kind: type[BaseSession], **options: object) -> BaseSession:
    """A session whose next message is the Commitment."""
    session = kind(agent("coordinator"), **options)
    session.start(intent="done soon", participants=["coordinator", "alice"], ttl_ms=60_000)
    way, _ = WAYS[kind]
    way(session)
    return session


def resolved(agent: Agent, kind: type[BaseSession], **options: object) -> BaseSession:
    """A session with its Commitment."""
    session = opened(agent, kind, **options)
    _, action = WAYS[kind]
    session.commit(action=action, authority_scope="all", reason="été “done”\n")
    return session
