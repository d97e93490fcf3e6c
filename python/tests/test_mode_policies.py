"""Builders of policies of every mode: the server takes what they build, and what it would refuse they refuse before."""

import json

import pytest
from handover_macp import (
    AbstentionRules,
    CommitmentRules,
    EvaluationRules,
    MacpSessionError,
    ObjectionHandlingRules,
    PolicyDescriptor,
    QuorumThreshold,
    VotingRules,
    build_decision_policy,
    build_proposal_policy,
    build_quorum_policy,
    build_task_policy,
    effective_quorum_threshold,
    new_session_id,
)

LEAD = CommitmentRules(authority="designated_role", designated_roles=["lead"])
BARE = {"commitment": {"authority": "initiator_only", "designated_roles": []}}
FULL = {
    "decision": (
        build_decision_policy,
        {
            "voting": VotingRules("weighted", 0.6, "percentage", 50.0, {"ann": 2, "bob": 1}),
            "objection_handling": ObjectionHandlingRules(True, 2, "hold"),
            "evaluation": EvaluationRules(True, 0.5),
            "commitment": CommitmentRules("any_participant", (), True, True),
        },
        {
            "voting": {
                "algorithm": "weighted",
                "threshold": 0.6,
                "quorum": {"type": "percentage", "value": 50.0},
                "weights": {"ann": 2, "bob": 1},
            },
            "objection_handling": {
                "critical_severity_vetoes": True,
                "veto_threshold": 2,
                "critical_objection_action": "hold",
            },
            "evaluation": {"required_before_voting": True, "minimum_confidence": 0.5},
            "commitment": {
                "authority": "any_participant",
                "designated_roles": [],
                "require_vote_quorum": True,
                "allow_decline_over_approval": True,
            },
        },
    ),
    "proposal": (
        build_proposal_policy,
        {"criterion": "counterparty", "max_rounds": 2, "terminal_on_any_reject": True, "commitment": LEAD},
        {
            "acceptance": {"criterion": "counterparty"},
            "counter_proposal": {"max_rounds": 2},
            "rejection": {"terminal_on_any_reject": True},
            "commitment": {"authority": "designated_role", "designated_roles": ["lead"]},
        },
    ),
    "task": (
        build_task_policy,
        {"allow_reassignment_on_reject": True, "require_output": True},
        {
            "assignment": {"allow_reassignment_on_reject": True},
            "completion": {"require_output": True},
            **BARE,
        },
    ),
    "quorum": (
        build_quorum_policy,
        {"threshold": QuorumThreshold("percentage", 60), "abstention": AbstentionRules(True, "ignored")},
        {
            "threshold": {"type": "percentage", "value": 60},
            "abstention": {"counts_toward_quorum": True, "interpretation": "ignored"},
            **BARE,
        },
    ),
}


@pytest.mark.parametrize("mode", list(FULL))
def test_the_server_takes_what_is_built(owner, mode):
    build, options, rules = FULL[mode]
    policy_id = f"policy.test.{new_session_id()}"
    for policy in (build(policy_id, "all of it", **options), build(f"{policy_id}.bare", "defaults")):
        result = owner.register_policy(policy)
        assert result.ok, result.error
    assert json.loads(build("p", "", **options).rules) == rules
    kept = owner.get_policy(policy_id)
    assert (kept.mode, kept.schema_version) == (f"macp.mode.{mode}.v1", 3 if mode == "decision" else 1)


@pytest.mark.parametrize("mode", list(FULL))
def test_what_is_left_out_is_not_written(mode):
    assert json.loads(FULL[mode][0]("p", "").rules) == BARE


BAD = [
    ("algorithm", build_decision_policy, {"voting": VotingRules("most")}),
    ("threshold", build_decision_policy, {"voting": VotingRules("majority", 0.4)}),
    ("threshold", build_decision_policy, {"voting": VotingRules("supermajority")}),
    ("threshold", build_decision_policy, {"voting": VotingRules("supermajority", 0.5)}),
    ("threshold", build_decision_policy, {"voting": VotingRules(threshold=0)}),
    ("threshold", build_decision_policy, {"voting": VotingRules(threshold=1.1)}),
    ("threshold", build_decision_policy, {"voting": VotingRules(threshold=float("nan"))}),
    ("quorum_type", build_decision_policy, {"voting": VotingRules(quorum_type="all")}),
    ("quorum_value", build_decision_policy, {"voting": VotingRules(quorum_value=-1)}),
    ("weights", build_decision_policy, {"voting": VotingRules("weighted")}),
    ("weights", build_decision_policy, {"voting": VotingRules("weighted", weights={})}),
    ("weights", build_decision_policy, {"voting": VotingRules("weighted", weights={"ann": 0})}),
    ("veto_threshold", build_decision_policy, {"objection_handling": ObjectionHandlingRules(veto_threshold=0)}),
    (
        "critical_objection_action",
        build_decision_policy,
        {"objection_handling": ObjectionHandlingRules(critical_objection_action="stop")},
    ),
    (
        "critical_severity_vetoes",
        build_decision_policy,
        {"objection_handling": ObjectionHandlingRules(critical_severity_vetoes=1)},
    ),
    ("minimum_confidence", build_decision_policy, {"evaluation": EvaluationRules(minimum_confidence=2)}),
    ("schema_version", build_decision_policy, {"schema_version": 4}),
    ("allow_no_target", build_decision_policy, {"commitment": CommitmentRules(allow_no_target=True)}),
    ("criterion", build_proposal_policy, {"criterion": "everybody"}),
    ("max_rounds", build_proposal_policy, {"max_rounds": -1}),
    ("terminal_on_any_reject", build_proposal_policy, {"terminal_on_any_reject": "yes"}),
    ("require_vote_quorum", build_proposal_policy, {"commitment": CommitmentRules(require_vote_quorum=True)}),
    ("require_output", build_task_policy, {"require_output": 1}),
    ("designated_roles", build_task_policy, {"commitment": CommitmentRules("designated_role")}),
    ("type", build_quorum_policy, {"threshold": QuorumThreshold("most", 1)}),
    ("value", build_quorum_policy, {"threshold": QuorumThreshold("percentage", 101)}),
    ("value", build_quorum_policy, {"threshold": QuorumThreshold(value=0)}),
    ("interpretation", build_quorum_policy, {"abstention": AbstentionRules(interpretation="yes")}),
    ("authority", build_quorum_policy, {"commitment": CommitmentRules("anyone")}),
    # 0.5 might mean half of them, or half a percent.
    ("quorum_value", build_decision_policy, {"voting": VotingRules(quorum_type="percentage", quorum_value=0.5)}),
    ("quorum_value", build_decision_policy, {"voting": VotingRules(quorum_type="percentage", quorum_value=150)}),
]


@pytest.mark.parametrize(("argument", "build", "options"), BAD)
def test_bad_rules_name_the_argument(argument, build, options):
    with pytest.raises(MacpSessionError) as raised:
        build("p", "", **options)
    assert raised.value.argument == argument


@pytest.mark.parametrize(
    ("threshold", "participants", "required", "expected"),
    [
        (QuorumThreshold(), 3, 2, 2),
        (QuorumThreshold("n_of_m", 5), 3, 2, 5),
        (QuorumThreshold("percentage", 50), 3, 1, 2),
        (QuorumThreshold("percentage", 34), 3, 1, 2),
        (QuorumThreshold("percentage", 1), 3, 3, 1),
        (QuorumThreshold("percentage", 100), 0, 3, 1),
    ],
)
def test_how_many_approvals_a_policy_asks_for(threshold, participants, required, expected):
    """macp-2026:11.3"""
    policy = build_quorum_policy("p", "", threshold=threshold)
    assert effective_quorum_threshold(policy, ["x"] * participants, required) == expected


def test_no_policy_and_an_unreadable_one():
    assert effective_quorum_threshold(None, ["x"], 7) == 7
    assert effective_quorum_threshold(PolicyDescriptor(rules="[" * 100_000), ["x"], 7) is None
    policy = build_quorum_policy("p", "")
    for rules in ("", "[]", '{"threshold": 3}', '{"threshold": {"type": "most", "value": 1}}', '{"threshold": {"value": 0}}'):
        unreadable = type(policy)("p", policy.mode, "", rules, 1)
        assert effective_quorum_threshold(unreadable, ["x"], 7) is None, rules
