"""What would have come of a session under another policy."""

from __future__ import annotations

from macp.v1 import core_pb2, policy_pb2
from macp_sdk import DecisionSession
from macp_sdk.errors import parse_error_details
from macp_sdk.policy import CommitmentRules, VotingRules, build_decision_policy, build_quorum_policy

from conftest import Agent
from resolved import resolved
from support import OPEN, RESOLVED, status_of

APPLIED, REFUSED = policy_pb2.WhatIfEntryOutcome.KIND_APPLIED, policy_pb2.WhatIfEntryOutcome.KIND_REFUSED


def unanimous() -> policy_pb2.PolicyDescriptor:
    return build_decision_policy(
        "", "everybody", voting=VotingRules(algorithm="unanimous"), commitment=CommitmentRules()
    )


def test_another_policy_would_have_denied(agent: Agent) -> None:
    session = resolved(agent, DecisionSession)
    answer = agent("alice").what_if_replay(session.session_id, unanimous())
    assert (answer.recorded_policy_id, answer.candidate_policy_id) == ("policy.default", "")
    assert (answer.recorded.state, answer.candidate.state) == (RESOLVED, OPEN)
    assert answer.HasField("first_divergence") and answer.first_divergence == 3
    recorded = core_pb2.CommitmentPayload.FromString(answer.recorded.resolution)
    assert recorded == session.projection.commitment
    assert answer.recorded.resolved_by_history_index == 3
    (denial,) = answer.denials
    assert denial.history_index == 3
    assert [one.code for one in parse_error_details(denial.details).denials] == ["threshold_not_met"]
    types = [one.message_type for one in answer.entries]
    assert types == ["SessionStart", "Proposal", "Vote", "Commitment"]
    assert [one.candidate.kind for one in answer.entries] == [APPLIED, APPLIED, APPLIED, REFUSED]
    assert answer.entries[3].candidate.error_code == "POLICY_DENIED"
    assert session.metadata().metadata.state == RESOLVED


def test_a_policy_that_changes_nothing(agent: Agent) -> None:
    session = resolved(agent, DecisionSession)
    same = build_decision_policy(
        "policy.same", "the votes are enough", voting=VotingRules(algorithm="majority")
    )
    answer = agent("coordinator").what_if_replay(session.session_id, same)
    assert not answer.HasField("first_divergence")
    assert not answer.denials
    assert answer.candidate == answer.recorded


def test_refusals(agent: Agent) -> None:
    session = resolved(agent, DecisionSession)

    def refused(name: str, session_id: str, candidate: policy_pb2.PolicyDescriptor | None) -> tuple[str, str]:
        return status_of(lambda: agent(name).what_if_replay(session_id, candidate))

    other = build_quorum_policy("policy.other", "x")
    invalid = ("INVALID_ARGUMENT", "INVALID_POLICY_DEFINITION")
    assert refused("alice", session.session_id, other) == invalid
    assert refused("dave", session.session_id, unanimous()) == ("PERMISSION_DENIED", "FORBIDDEN")
    assert refused("alice", "0" * 22, unanimous()) == ("NOT_FOUND", "SESSION_NOT_FOUND")
    assert refused("alice", session.session_id, None) == ("INVALID_ARGUMENT", "INVALID_REQUEST")
