"""What-if replays of the real server (macp-2026:15)."""

import json

import pytest
from handover_macp import (
    AuthConfig,
    CommitmentRules,
    DecisionSession,
    VotingRules,
    build_decision_policy,
)
from handover_macp.aio import AsyncMacpClient


@pytest.fixture
def decided(owner):
    session = DecisionSession(owner)
    session.start(intent="x", participants=["owner-a", "owner-b"], ttl_ms=60_000)
    session.propose("p1", "this")
    session.vote("p1", "approve")
    session.commit("decision.selected", "s", "r")
    return session.session_id


STRICT = build_decision_policy("policy.strict", "all must agree", voting=VotingRules("unanimous"))
SAME = build_decision_policy("policy.same", "as it was", commitment=CommitmentRules())


def test_another_policy_would_have_refused(owner, decided):
    replay = owner.what_if_replay(decided, STRICT)
    assert (replay.recorded_policy_id, replay.candidate_policy_id) == ("policy.default", "policy.strict")
    assert (replay.recorded.state, replay.candidate.state) == ("RESOLVED", "OPEN")
    assert replay.first_divergence == 3
    assert [entry.message_type for entry in replay.entries] == ["SessionStart", "Proposal", "Vote", "Commitment"]
    assert [entry.candidate.kind for entry in replay.entries] == ["APPLIED", "APPLIED", "APPLIED", "REFUSED"]
    assert replay.entries[3].candidate.error_code == "POLICY_DENIED"
    (denial,) = replay.denials
    assert denial.history_index == 3
    assert [item["code"] for item in json.loads(denial.details)["denials"]] == ["threshold_not_met"]


async def test_a_policy_that_changes_nothing_in_asyncio(server, decided):
    async with AsyncMacpClient(server.address, auth=AuthConfig.for_dev_agent("owner-a")) as client:
        replay = await client.what_if_replay(decided, SAME)
    assert replay.first_divergence is None and replay.denials == ()
    assert replay.recorded == replay.candidate and replay.recorded.resolved_by_history_index == 3
