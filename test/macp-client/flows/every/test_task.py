"""Task Mode, through the session helper and its projection."""

from __future__ import annotations

import pytest
from macp_sdk import MacpAckError, TaskSession

from conftest import Agent
from support import ALICE, BOB, code_of, replayed

CLOSING = dict(authority_scope="project", reason="reported")


def started(agent: Agent) -> TaskSession:
    session = TaskSession(agent("coordinator"))
    # The initiator need not be a participant.
    assert session.start(intent="a report", participants=["alice", "bob"], ttl_ms=60_000).ok
    return session


def test_a_task_from_request_to_completion(agent: Agent) -> None:
    session = started(agent)
    session.request_task("t1", "report", instructions="in words", input_data=b"\x01", deadline_unix_ms=1)
    session.accept_task("t1", reason="mine", **ALICE)
    assert code_of(lambda: session.accept_task("t1", **BOB)) == "INVALID_ENVELOPE"
    session.update_task("t1", status="writing", progress=0.5, message="half", partial_output=b"x", **ALICE)
    assert code_of(lambda: session.update_task("t1", progress=0.9, **BOB)) == "FORBIDDEN"
    session.complete_task("t1", output=b"the report", summary="done", **ALICE)
    session.commit(action="task.completed", **CLOSING)

    seen = replayed(session, agent("bob")).task_projection
    assert seen.is_completed("t1")
    assert seen.current_assignee("t1") == "alice"
    assert seen.completions[0].output == b"the report"
    assert seen.latest_progress() == 0.5
    assert seen.is_positive_outcome is True


def test_a_failure_is_reported(agent: Agent) -> None:
    session = started(agent)
    session.request_task("t1", "report")
    session.accept_task("t1", **BOB)
    session.fail_task("t1", error_code="E7", reason="no data", retryable=True, **BOB)
    session.commit(action="task.failed", **CLOSING)
    seen = replayed(session, agent("alice")).task_projection
    assert (seen.is_failed("t1"), seen.is_retryable("t1"), seen.is_positive_outcome) == (True, True, False)


def test_who_declines_does_not_bind_others(agent: Agent) -> None:
    session = started(agent)
    session.request_task("t1", "report")
    session.reject_task("t1", reason="busy", **ALICE)
    assert not session.task_projection.can_accept("alice")
    assert code_of(lambda: session.accept_task("t1", **ALICE)) == "INVALID_ENVELOPE"
    session.accept_task("t1", **BOB)
    assert replayed(session, agent("alice")).task_projection.current_assignee("t1") == "bob"


def test_the_named_assignee_declined(agent: Agent) -> None:
    session = started(agent)
    session.request_task("t1", "report", requested_assignee="alice")
    assert code_of(lambda: session.accept_task("t1", **BOB)) == "FORBIDDEN"
    session.reject_task("t1", **ALICE)
    assert session.task_projection.negative_commit_eligible("t1")
    session.commit(action="task.failed", **CLOSING)
    assert replayed(session, agent("bob")).projection.is_positive_outcome is False


def test_giving_a_task_back_needs_the_policy(agent: Agent) -> None:
    session = started(agent)
    session.request_task("t1", "report")
    session.accept_task("t1", **ALICE)
    with pytest.raises(MacpAckError) as caught:
        session.reject_task("t1", **ALICE)
    assert caught.value.failure.code == "POLICY_DENIED"
    assert [one.code for one in caught.value.denials] == ["reassignment_not_allowed"]
    assert caught.value.reasons == [one.message for one in caught.value.denials]
