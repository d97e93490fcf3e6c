"""Quorum Mode, through the session helper and its projection."""

from __future__ import annotations

from macp_sdk import QuorumSession
from macp_sdk.policy import QuorumThreshold, build_quorum_policy, effective_quorum_threshold

from conftest import Agent
from support import ALICE, BOB, CAROL, code_of, fresh, replayed

CLOSING = dict(authority_scope="security", reason="counted")


def started(agent: Agent, **options: object) -> QuorumSession:
    session = QuorumSession(agent("coordinator"), **options)
    assert session.start(intent="a rule", participants=["alice", "bob", "carol"], ttl_ms=60_000).ok
    return session


def test_two_of_three_approve(agent: Agent) -> None:
    session = started(agent)
    session.request_approval("r1", "tls 1.3", summary="minimum", details=b"{}", required_approvals=2)
    session.approve("r1", reason="good", **ALICE)
    assert code_of(lambda: session.reject("r1", **ALICE)) == "INVALID_ENVELOPE"
    assert code_of(lambda: session.approve("r1")) == "FORBIDDEN"
    assert code_of(lambda: session.commit(action="quorum.approved", **CLOSING)) == "INVALID_ENVELOPE"
    session.abstain("r1", **BOB)
    session.approve("r1", **CAROL)
    assert session.quorum_projection.commitment_ready("r1")
    session.commit(action="quorum.approved", **CLOSING)

    seen = replayed(session, agent("bob")).quorum_projection
    assert (seen.approval_count("r1"), seen.rejection_count("r1"), seen.abstention_count("r1")) == (2, 0, 1)
    assert seen.has_quorum("r1")
    assert seen.is_positive_outcome is True


def test_out_of_reach(agent: Agent) -> None:
    session = started(agent)
    session.request_approval("r1", "tls 1.3", required_approvals=3)
    session.reject("r1", reason="too soon", **BOB)
    assert session.quorum_projection.is_threshold_unreachable("r1", 3)
    session.commit(action="quorum.rejected", **CLOSING)
    assert replayed(session, agent("alice")).projection.is_positive_outcome is False


def test_the_policy_sets_the_bar(agent: Agent) -> None:
    threshold = QuorumThreshold(type="percentage", value=60)
    policy = build_quorum_policy(fresh("policy.sixty"), "sixty percent", threshold=threshold)
    assert agent("admin").register_policy(policy).ok
    session = started(agent, policy_version=policy.policy_id)
    session.request_approval("r1", "tls 1.3", required_approvals=1)
    session.approve("r1", **ALICE)
    bar = effective_quorum_threshold(policy, 3, 1)
    assert bar == 2
    assert not session.quorum_projection.has_quorum("r1", effective_threshold=bar)
    assert code_of(lambda: session.commit(action="quorum.approved", **CLOSING)) == "INVALID_ENVELOPE"
    session.approve("r1", **BOB)
    session.commit(action="quorum.approved", **CLOSING)
    assert replayed(session, agent("carol")).quorum_projection.has_quorum("r1", effective_threshold=bar)
