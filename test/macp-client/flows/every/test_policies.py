"""The registry of policies."""

from __future__ import annotations

import json
import threading
from contextlib import closing

from macp_sdk import DecisionSession
from macp_sdk.policy import (
    CommitmentRules,
    ObjectionHandlingRules,
    ProposalAcceptanceRules,
    TaskCompletionRules,
    VotingRules,
    build_decision_policy,
    build_handoff_policy,
    build_proposal_policy,
    build_quorum_policy,
    build_task_policy,
)
from macp_sdk.watchers import PolicyWatcher

from conftest import Agent
from strict import strict
from support import code_of, fresh, status_of


def test_every_builder_is_admitted(agent: Agent) -> None:
    admin = agent("admin")
    assert admin.initialize().capabilities.policy_registry.register_policy
    roles = CommitmentRules(authority="designated_role", designated_roles=["alice"])
    descriptors = [
        strict(fresh("policy.decision")),
        build_decision_policy(fresh("policy.old"), "fail open", schema_version=1),
        build_decision_policy(
            fresh("policy.weights"),
            "weighted",
            voting=VotingRules(algorithm="weighted", weights={"alice": 2.5}),
            objection_handling=ObjectionHandlingRules(critical_objection_action="hold"),
            schema_version=2,
        ),
        build_quorum_policy(fresh("policy.quorum"), "one", commitment=roles),
        build_proposal_policy(
            fresh("policy.proposal"), "x", acceptance=ProposalAcceptanceRules(criterion="counterparty")
        ),
        build_task_policy(fresh("policy.task"), "x", completion=TaskCompletionRules(require_output=True)),
        build_handoff_policy(
            fresh("policy.handoff"), "x", commitment=CommitmentRules(authority="any_participant")
        ),
    ]
    for descriptor in descriptors:
        answer = admin.register_policy(descriptor)
        assert (answer.ok, answer.error) == (True, "")
        kept = admin.get_policy(descriptor.policy_id).policy_descriptor
        assert json.loads(kept.rules) == json.loads(descriptor.rules)
        assert kept.mode == descriptor.mode
        assert kept.schema_version == descriptor.schema_version
        assert kept.description == descriptor.description
        listed = admin.list_policies(mode=descriptor.mode).descriptors
        ids = [one.policy_id for one in listed]
        assert descriptor.policy_id in ids and "policy.default" in ids
        assert ids == sorted(ids)
        assert {one.mode for one in listed} == {descriptor.mode, "*"}


def test_what_the_registry_refuses(agent: Agent) -> None:
    admin = agent("admin")
    policy = strict(fresh("policy.twice"))
    assert admin.register_policy(policy).ok
    again = admin.register_policy(policy)
    assert not again.ok and again.error
    assert not again.error.startswith("INVALID_POLICY_DEFINITION")
    bad = build_quorum_policy(fresh("policy.bad"), "x", extensions={"x-com.acme.audit": {"level": 1}})
    for descriptor in [
        bad,
        build_quorum_policy("policy.std.mine", "x"),
        build_quorum_policy("policy.default", "x"),
    ]:
        refused = admin.register_policy(descriptor)
        assert not refused.ok
        assert refused.error.startswith("INVALID_POLICY_DEFINITION: ")

    assert admin.unregister_policy(policy.policy_id).ok
    gone = admin.unregister_policy(policy.policy_id)
    assert not gone.ok and gone.error
    assert status_of(lambda: admin.get_policy(policy.policy_id)) == ("NOT_FOUND", "UNKNOWN_POLICY_VERSION")


def test_sessions_need_a_policy_of_their_mode(agent: Agent) -> None:
    admin = agent("admin")
    quorum = build_quorum_policy(fresh("policy.other"), "x")
    assert admin.register_policy(quorum).ok
    for policy_id, code in [
        (fresh("policy.none"), "UNKNOWN_POLICY_VERSION"),
        (quorum.policy_id, "INVALID_POLICY_DEFINITION"),
    ]:
        session = DecisionSession(admin, policy_version=policy_id)
        assert code_of(lambda: session.start(intent="", participants=[], ttl_ms=1_000)) == code


def test_changes_are_watched(agent: Agent) -> None:
    admin = agent("admin")
    policy = strict(fresh("policy.watched"))
    with closing(PolicyWatcher(agent("alice")).changes()) as changes:
        first = next(changes)
        assert "policy.default" in [one.policy_id for one in first.descriptors]
        assert first.observed_at_unix_ms > 0
        threading.Timer(0.1, admin.register_policy, [policy]).start()
        while policy.policy_id not in [one.policy_id for one in next(changes).descriptors]:
            pass
        threading.Timer(0.1, admin.unregister_policy, [policy.policy_id]).start()
        while policy.policy_id in [one.policy_id for one in next(changes).descriptors]:
            pass
