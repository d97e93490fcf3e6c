"""Sessions of every mode against the real server, synchronous and asyncio (macp-2026:19).

Each story runs twice. At its end a client that only reads must know what the writer knows.
"""

import asyncio
import dataclasses

import handover_macp
import pytest
from handover_macp import AuthConfig, MacpClient
from handover_macp.aio import AsyncMacpClient

START = {"intent": "agree", "ttl_ms": 60_000}
STORIES = {
    "Decision": [
        ("start", (), {**START, "participants": ["lead", "ann", "bob"]}),
        ("propose", ("p1", "ship it"), {"sender": "ann", "rationale": "ready", "supporting_data": b"\x00\xff"}),
        ("propose", ("p2", "wait"), {"sender": "bob"}),
        ("evaluate", ("p1", "approve"), {"sender": "bob", "confidence": 0.75, "reason": "fine"}),
        ("evaluate", ("p1", "Review"), {"sender": "ann", "confidence": 1}),
        ("raise_objection", ("p2",), {"sender": "ann", "reason": "late"}),
        ("raise_objection", ("p2",), {"sender": "lead", "reason": "very late", "severity": "CRITICAL"}),
        ("vote", ("p1", "approve"), {"sender": "ann"}),
        ("vote", ("p1", "Approve"), {"sender": "bob", "reason": "yes"}),
        ("vote", ("p2", "REJECT"), {"sender": "ann"}),
        ("vote", ("p2", "abstain"), {"sender": "bob"}),
        ("commit", ("decision.selected", "release", "p1 has it"), {}),
    ],
    "Proposal": [
        ("start", (), {**START, "participants": ["lead", "ann"]}),
        ("propose", ("p1", "ten euros"), {"sender": "ann", "details": b"d", "tags": ["price", "eur"]}),
        ("counter_propose", ("p2", "p1", "eight euros"), {"summary": "less"}),
        ("reject", ("p1",), {"reason": "too much"}),
        ("accept", ("p1",), {"sender": "ann"}),
        ("withdraw", ("p1",), {"sender": "ann"}),
        ("accept", ("p2",), {"sender": "ann", "reason": "fine"}),
        ("accept", ("p2",), {}),
        ("commit", ("proposal.accepted", "price", "eight euros"), {}),
    ],
    "Task": [
        ("start", (), {**START, "participants": ["ann", "bob"]}),
        ("request_task", ("t1", "count"), {"instructions": "all", "input_data": b"[1]", "deadline_unix_ms": 2**40}),
        ("reject_task", ("t1",), {"sender": "bob", "reason": "busy"}),
        ("accept_task", ("t1",), {"sender": "ann"}),
        ("update_task", ("t1",), {"sender": "ann", "status": "half", "progress": 0.5, "partial_output": b"1"}),
        ("complete_task", ("t1",), {"sender": "ann", "output": b"2", "summary": "two"}),
        ("commit", ("task.completed", "count", "two"), {}),
    ],
    "Quorum": [
        ("start", (), {**START, "participants": ["ann", "bob", "eve"]}),
        ("request_approval", ("r1", "deploy"), {"required_approvals": 2, "summary": "now", "details": b"d"}),
        ("approve", ("r1",), {"sender": "ann"}),
        ("abstain", ("r1",), {"sender": "eve", "reason": "no idea"}),
        ("approve", ("r1",), {"sender": "bob"}),
        ("commit", ("quorum.approved", "deploy", "two of three"), {}),
    ],
    "MultiRound": [
        ("start", (), {**START, "participants": ["ann", "bob"]}),
        ("contribute", ("red",), {"sender": "ann"}),
        ("contribute", ("blue",), {"sender": "bob"}),
        ("contribute", ("blue",), {"sender": "bob"}),
        ("contribute", ("blue",), {"sender": "ann"}),
        ("commit", ("colour.selected", "colour", "blue"), {}),
    ],
    "Handoff": [
        ("start", (), {**START, "participants": ["ann", "bob"], "context": b"frozen"}),
        ("offer", ("h1", "ann"), {"scope": "oncall"}),
        ("decline", ("h1",), {"sender": "ann", "reason": "ill"}),
        ("offer", ("h2", "bob"), {"scope": "oncall"}),
        ("add_context", ("h2",), {"context": b"notes"}),
        ("accept_handoff", ("h2",), {"sender": "bob"}),
        ("commit", (), {}),
    ],
}
PHASES = {
    "Decision": ["Proposal", *["Evaluation"] * 6, *["Voting"] * 4, "Committed"],
    "Proposal": [*["Negotiating"] * 8, "Committed"],
    "Task": ["Pending", "Requested", "Requested", "InProgress", "InProgress", "Completed", "Committed"],
    "Quorum": ["Pending", *["Voting"] * 4, "Committed"],
    "MultiRound": [*["Contributing"] * 4, "Converged", "Committed"],
    "Handoff": ["Pending", "OfferPending", "Declined", "OfferPending", "OfferPending", "Accepted", "Committed"],
}
LEAD = AuthConfig.for_dev_agent("lead")


def told(projection):
    """Everything that needs no argument."""
    skipped = {"transcript", "last_sequence"}
    names = [name for name in dir(type(projection)) if not name.startswith("_") and name not in skipped]
    values = {}
    for name in names:
        value = getattr(projection, name)
        if not callable(value):
            values[name] = value
    return values


def tell_story(mode, address):
    """Runs a story; the phase after each step, the writer's projection and a reader's."""
    with MacpClient(address, secure=False, auth=LEAD) as client:
        kind = getattr(handover_macp, f"{mode}Session")
        session = kind(client)
        phases = []
        for method, args, kwargs in STORIES[mode]:
            assert getattr(session, method)(*args, **kwargs).ok
            phases.append(session.projection.phase)
        reader = kind(client, session.session_id)
        assert session.metadata().state == "RESOLVED"
        return phases, session.projection, reader.sync()


async def tell_story_async(mode, address):
    """The same, awaited."""
    async with AsyncMacpClient(address, secure=False, auth=LEAD) as client:
        kind = getattr(handover_macp.aio, f"Async{mode}Session")
        session = kind(client)
        phases = []
        for method, args, kwargs in STORIES[mode]:
            assert (await getattr(session, method)(*args, **kwargs)).ok
            phases.append(session.projection.phase)
        reader = kind(client, session.session_id)
        assert (await session.metadata()).state == "RESOLVED"
        return phases, session.projection, await reader.sync()


def told_of(mode, address, is_async):
    if is_async:
        return asyncio.run(tell_story_async(mode, address))
    return tell_story(mode, address)


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "asyncio"])
@pytest.mark.parametrize("mode", list(STORIES))
def test_a_story_of_each_mode(server, mode, is_async):
    phases, writer, reader = told_of(mode, server.address, is_async)
    assert phases == PHASES[mode]
    assert told(writer) == told(reader)
    assert writer.is_positive_outcome and writer.session_state == "RESOLVED"
    assert writer.anomalies == []
    assert writer.commitment.policy_version == "policy.default"
    assert [item.message_id for item in writer.transcript] == [item.message_id for item in reader.transcript]


def test_what_a_decision_tells(server):
    _, told, _ = told_of("Decision", server.address, False)
    assert told.proposals["p1"].supporting_data == b"\x00\xff"
    assert told.vote_totals() == {"p1": 2, "p2": 0}
    assert (told.vote_ratio("p1"), told.vote_ratio("p2"), told.vote_ratio("p3")) == (1.0, 0.0, None)
    assert told.majority_winner() == "p1"
    assert told.votes["p2"]["bob"].vote == "ABSTAIN"
    assert told.has_blocking_objection("p2") and not told.has_blocking_objection("p1")
    assert [said.severity for said in told.objections] == ["medium", "critical"]
    assert [said.sender for said in told.qualifying_evaluations()] == ["bob"]
    assert [said.sender for said in told.review_evaluations()] == ["ann"]


def test_what_a_negotiation_tells(server):
    _, told, _ = told_of("Proposal", server.address, False)
    assert told.proposals["p1"].tags == ("price", "eur") and told.proposals["p1"].status == "withdrawn"
    assert told.proposals["p2"].supersedes == "p1" and told.latest_proposal() is told.proposals["p2"]
    assert told.acceptances == {"ann": "p2", "lead": "p2"} and len(told.accepts) == 3
    assert told.is_accepted("p2") and not told.is_accepted("p1")
    assert [told.is_converged(word) for word in ("all_parties", "counterparty", "initiator")] == [True] * 3
    assert told.active_proposals() == [told.proposals["p2"]] and told.counter_proposals == 1
    assert [said.terminal for said in told.rejections] == [False]


def test_what_a_task_tells(server):
    _, told, _ = told_of("Task", server.address, False)
    assert told.task.status == "completed" and told.task.assignee == "ann" and told.task.input == b"[1]"
    assert told.progress_of("t1") == 1.0 and told.updates[0].progress == 0.5
    assert told.completions[0].output == b"2" and told.is_complete("t1") and not told.is_failed("t1")
    assert told.has_declined("bob") and not told.has_declined("ann")
    assert told.active_tasks() == [] and not told.negative_commit_eligible


def test_what_a_vote_tells(server):
    _, told, _ = told_of("Quorum", server.address, False)
    assert (told.approval_count("r1"), told.rejection_count("r1"), told.abstention_count("r1")) == (2, 0, 1)
    assert told.has_quorum("r1") and told.remaining_votes_needed("r1") == 0 and told.threshold("r1") == 2
    assert told.voted_senders("r1") == ["ann", "eve", "bob"] and not told.has_quorum("r9")


def test_what_rounds_tell(server):
    _, told, _ = told_of("MultiRound", server.address, False)
    assert (told.round, told.converged_value, told.values) == (3, "blue", {"ann": "blue", "bob": "blue"})
    assert [said.round for said in told.contributions] == [1, 2, 2, 3]


@pytest.mark.parametrize("failing", [True, False])
def test_a_task_that_comes_to_nothing(server, failing):
    with MacpClient(server.address, secure=False, auth=LEAD) as client:
        session = handover_macp.TaskSession(client)
        session.start(**START, participants=["ann", "bob"])
        session.request_task("t1", "count", requested_assignee="" if failing else "ann")
        told = session.projection
        assert told.can_accept("ann") and told.can_accept("bob") == failing and not told.can_accept("lead")
        if failing:
            session.accept_task("t1", sender="ann")
            session.fail_task("t1", sender="ann", error_code="E", reason="cannot", retryable=True)
            assert told.phase == "Failed" and told.is_retryable("t1") and told.failures[0].error_code == "E"
        else:
            session.reject_task("t1", sender="ann")
            assert told.task.status == "rejected" and told.phase == "Requested" and not told.can_accept("ann")
        assert told.negative_commit_eligible
        session.commit("task.failed", "count", "nobody did it")
        assert not told.is_positive_outcome and not told.negative_commit_eligible


def test_a_rejection_for_good(server):
    with MacpClient(server.address, secure=False, auth=LEAD) as client:
        session = handover_macp.ProposalSession(client)
        session.start(**START, participants=["lead", "ann"])
        session.propose("p1")
        session.reject("p1", terminal=True, sender="ann")
        told = session.projection
        assert told.phase == "TerminalRejected" and told.is_terminally_rejected("p1")
        assert told.proposals["p1"].status == "rejected" and told.active_proposals() == []
        session.commit("proposal.rejected", "price", "no")


def test_who_can_still_be_offered_something(server):
    with MacpClient(server.address, secure=False, auth=LEAD) as client:
        session = handover_macp.HandoffSession(client)
        session.start(**START, participants=["ann", "bob"])
        can = lambda: [name for name in ("lead", "ann", "bob", "eve") if session.projection.can_offer_to(name)]  # noqa: E731
        assert can() == ["ann", "bob"]
        session.offer("h1", "ann")
        assert can() == []
        session.decline("h1", sender="ann")
        assert can() == ["bob"] and session.projection.declined_targets() == ["ann"]
        session.suspend()
        with session.open_stream() as stream:
            while session.projection.session_state != "SUSPENDED":
                stream.read(timeout=10)
        assert can() == []


def test_records_do_not_change(server):
    _, told, _ = told_of("Task", server.address, False)
    with pytest.raises(dataclasses.FrozenInstanceError):
        told.task.status = "open"
