"""What a policy denies, and what it says then."""

from __future__ import annotations

import pytest
from macp.v1 import policy_pb2
from macp_sdk import DecisionSession, MacpAckError, TaskSession
from macp_sdk.base_session import BaseSession
from macp_sdk.policy import (
    CommitmentRules,
    ObjectionHandlingRules,
    TaskCompletionRules,
    VotingRules,
    build_decision_policy,
    build_task_policy,
)

from conftest import Agent
from strict import strict
from support import ALICE, BOB, RESOLVED, code_of, fresh


def governed(agent: Agent, kind: type[BaseSession], policy: policy_pb2.PolicyDescriptor) -> BaseSession:
    assert agent("admin").register_policy(policy).ok
    session = kind(agent("coordinator"), policy_version=policy.policy_id)
    session.start(intent="x", participants=["coordinator", "alice", "bob"], ttl_ms=60_000)
    assert session.metadata().metadata.policy_version == policy.policy_id
    return session


def denied(session: BaseSession, action: str) -> dict[str, tuple[str, ...]]:
    """The codes of the denials, each with the participants whom it names."""
    with pytest.raises(MacpAckError) as caught:
        session.commit(action=action, authority_scope="all", reason="now")
    error = caught.value
    assert error.failure.code == "POLICY_DENIED"
    assert error.reasons == [one.message for one in error.denials]
    assert all(error.reasons)
    assert session.projection.commitment is None
    return {one.code: one.participants for one in error.denials}


def test_all_reasons_at_once(agent: Agent) -> None:
    session = governed(agent, DecisionSession, strict(fresh("policy.strict")))
    session.propose("p1", "canary")
    session.evaluate("p1", "approve", confidence=0.2, **ALICE)
    early = denied(session, "decision.selected")
    assert early == {"confidence_below_minimum": (), "quorum_not_met": (), "no_votes": ()}
    session.raise_objection("p1", reason="no", severity="critical", **BOB)
    assert denied(session, "decision.selected")["veto"] == ("bob",)
    session.evaluate("p1", "approve", confidence=0.7, **ALICE)
    session.vote("p1", "reject", **ALICE)
    session.vote("p1", "reject", **BOB)
    late = denied(session, "decision.selected")
    assert late == {"veto": ("bob",), "threshold_not_met": ()}
    assert denied(session, "decision.declined") == {"veto": ("bob",)}


def test_a_veto_that_ends_in_a_decline(agent: Agent) -> None:
    objections = ObjectionHandlingRules(
        critical_severity_vetoes=True, critical_objection_action="finalize_decline"
    )
    policy = build_decision_policy(fresh("policy.veto"), "x", objection_handling=objections)
    session = governed(agent, DecisionSession, policy)
    session.propose("p1", "canary")
    session.raise_objection("p1", reason="no", severity="critical", **ALICE)
    assert denied(session, "decision.selected") == {"veto": ("alice",)}
    ack = session.commit(action="decision.declined", authority_scope="all", reason="vetoed")
    assert ack.session_state == RESOLVED


@pytest.mark.parametrize("schema_version", [1, 2, 3])
def test_a_decline_against_the_votes(agent: Agent, schema_version: int) -> None:
    majority = VotingRules(algorithm="majority")
    for allowed in (False, True):
        commitment = CommitmentRules(allow_decline_over_approval=allowed)
        policy = build_decision_policy(
            fresh("policy.over"), "x", voting=majority, commitment=commitment, schema_version=schema_version
        )
        session = governed(agent, DecisionSession, policy)
        session.propose("p1", "canary")
        session.vote("p1", "approve", **ALICE)
        session.vote("p1", "reject", **BOB)
        if not allowed:
            assert denied(session, "decision.declined") == {"decline_over_approval": ()}
        else:
            assert session.commit(action="decision.declined", authority_scope="all", reason="x").ok


def test_a_task_without_output(agent: Agent) -> None:
    policy = build_task_policy(
        fresh("policy.output"), "x", completion=TaskCompletionRules(require_output=True)
    )
    session = governed(agent, TaskSession, policy)
    session.request_task("t1", "report")
    session.accept_task("t1", **ALICE)
    session.complete_task("t1", summary="done", **ALICE)
    assert denied(session, "task.completed") == {"output_required": ()}
    assert session.commit(action="task.failed", authority_scope="all", reason="nothing came").ok


def test_whom_the_policy_lets_commit(agent: Agent) -> None:
    roles = CommitmentRules(authority="designated_role", designated_roles=["alice"])
    policy = build_decision_policy(fresh("policy.roles"), "x", commitment=roles)
    session = governed(agent, DecisionSession, policy)
    session.propose("p1", "canary")
    commitment = dict(action="decision.selected", authority_scope="all", reason="x")
    assert code_of(lambda: session.commit(**commitment)) == "FORBIDDEN"
    assert session.commit(**commitment, **ALICE).session_state == RESOLVED
