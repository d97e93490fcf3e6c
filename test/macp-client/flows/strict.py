"""A policy of Decision Mode that asks for a lot."""

from __future__ import annotations

from macp.v1 import policy_pb2
from macp_sdk.policy import (
    CommitmentRules,
    EvaluationRules,
    ObjectionHandlingRules,
    VotingRules,
    build_decision_policy,
)


def strict(policy_id: str) -> policy_pb2.PolicyDescriptor:
    return build_decision_policy(
        policy_id,
        "majority of two, a veto, and a confident look first",
        voting=VotingRules(algorithm="majority", threshold=0.5, quorum_type="count", quorum_value=2),
        objection_handling=ObjectionHandlingRules(critical_severity_vetoes=True, veto_threshold=1),
        evaluation=EvaluationRules(minimum_confidence=0.7, required_before_voting=True),
        commitment=CommitmentRules(require_vote_quorum=True),
        annotations={"_owner": "release team", "$comment": 1},
    )
