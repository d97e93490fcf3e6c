"""The policy builder."""

import json

import pytest
from handover_macp import CommitmentRules, HandoffAcceptanceRules, MacpSessionError, build_handoff_policy


def test_everything_is_written_out():
    policy = build_handoff_policy("policy.team.quick", "quick answers", implicit_decline_timeout_ms=500)
    assert (policy.policy_id, policy.mode, policy.schema_version) == ("policy.team.quick", "macp.mode.handoff.v1", 1)
    assert json.loads(policy.rules) == {
        "acceptance": {"implicit_accept_timeout_ms": 0},
        "commitment": {"authority": "initiator_only", "designated_roles": []},
        "x-handover.rules": {"implicit_decline_timeout_ms": 500, "allow_no_target": False},
    }


def test_without_rules_of_our_own_other_servers_take_it():
    assert list(json.loads(build_handoff_policy("p", "").rules)) == ["acceptance", "commitment"]


def test_groups_of_rules():
    policy = build_handoff_policy(
        "p",
        "",
        acceptance=HandoffAcceptanceRules(implicit_accept_timeout_ms=7),
        commitment=CommitmentRules(authority="designated_role", designated_roles=["lead"]),
        allow_no_target=True,
    )
    rules = json.loads(policy.rules)
    assert rules["acceptance"]["implicit_accept_timeout_ms"] == 7
    assert rules["commitment"]["designated_roles"] == ["lead"]
    assert rules["x-handover.rules"]["allow_no_target"] is True


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("policy_id", {"policy_id": " "}),
        ("implicit_accept_timeout_ms", {"implicit_accept_timeout_ms": -1}),
        ("implicit_decline_timeout_ms", {"implicit_accept_timeout_ms": 1, "implicit_decline_timeout_ms": 1}),
        ("authority", {"commitment": CommitmentRules(authority="anyone")}),
        ("designated_roles", {"commitment": CommitmentRules(authority="designated_role")}),
        ("designated_roles", {"commitment": CommitmentRules(designated_roles=[""])}),
        ("require_vote_quorum", {"commitment": CommitmentRules(require_vote_quorum=True)}),
    ],
)
def test_bad_rules_name_the_argument(argument, options):
    with pytest.raises(MacpSessionError) as raised:
        build_handoff_policy(options.pop("policy_id", "p"), "", **options)
    assert raised.value.argument == argument
