"""Suspending, resuming and cancelling; lists and watches of sessions."""

from __future__ import annotations

from contextlib import closing

from macp.v1 import envelope_pb2
from macp_sdk import (
    DecisionSession,
    SessionLifecycleWatcher,
    new_session_id,
    retry_send,
)

from conftest import Agent
from support import ALICE, CANCELLED, OPEN, SUSPENDED, code_of, history, replayed, status_of


def started(agent: Agent, **options: object) -> DecisionSession:
    session = DecisionSession(agent("coordinator"))
    session.start(intent="x", participants=["coordinator", "alice"], ttl_ms=60_000, **options)
    return session


def test_nothing_is_accepted_while_suspended(agent: Agent) -> None:
    session = started(agent, max_suspend_ms=50_000)
    session.propose("p1", "canary")
    assert session.suspend(reason="maintenance").session_state == SUSPENDED
    for action in (lambda: session.vote("p1", "approve"), session.suspend):
        assert code_of(action) == "SESSION_NOT_OPEN"
    assert session.resume(reason="done").session_state == OPEN
    session.vote("p1", "approve", **ALICE)
    # The pause takes no position: the vote is the third message of the session.
    (vote,) = history(agent("alice"), session.session_id, 1, after=2)
    assert vote.message_type == "Vote"
    replayed(session, agent("alice"))


def test_cancelled_for_good(agent: Agent) -> None:
    session = started(agent)
    alice = agent("alice")
    forbidden = ("PERMISSION_DENIED", "FORBIDDEN")
    assert status_of(lambda: alice.cancel_session(session.session_id, reason="mine")) == forbidden
    assert session.cancel(reason="not needed").session_state == CANCELLED
    assert session.cancel(reason="again").session_state == CANCELLED
    assert session.metadata().metadata.state == CANCELLED
    for action in (session.resume, lambda: session.propose("p1", "late")):
        assert code_of(action) == "SESSION_NOT_OPEN"
    assert status_of(lambda: alice.suspend_session(new_session_id())) == ("NOT_FOUND", "SESSION_NOT_FOUND")


def test_what_happens_to_a_session_is_watched(agent: Agent) -> None:
    before = started(agent)
    with closing(SessionLifecycleWatcher(agent("alice")).changes()) as changes:

        def seen_of(session: DecisionSession, count: int) -> list[str]:
            found: list[str] = []
            while len(found) < count:
                change = next(changes)
                if change.session.session_id == session.session_id:
                    found.append(change.event_type)
                    assert change.observed_at_unix_ms > 0
            return found

        assert seen_of(before, 1) == ["CREATED"]
        session = started(agent, context_id="ticket-7", extensions={"x-trace": b"\x01"})
        session.suspend()
        session.resume()
        session.propose("p1", "canary")
        session.commit(action="decision.selected", authority_scope="all", reason="x")
        assert seen_of(session, 4) == ["CREATED", "SUSPENDED", "RESUMED", "RESOLVED"]
        before.cancel()
        assert seen_of(before, 1) == ["CANCELLED"]
    metadata = agent("alice").get_session(session.session_id).metadata
    assert (metadata.context_id, list(metadata.extension_keys)) == ("ticket-7", ["x-trace"])


def test_an_expired_session(agent: Agent) -> None:
    session = DecisionSession(agent("coordinator"))
    with closing(SessionLifecycleWatcher(agent("alice")).changes()) as changes:
        session.start(intent="x", participants=["coordinator", "alice"], ttl_ms=300)
        last = next(
            one for one in changes if one.session.session_id == session.session_id and one.is_terminal
        )
    assert last.is_expired
    assert last.session.state == envelope_pb2.SESSION_STATE_EXPIRED


def test_lists_have_every_session_page_by_page(agent: Agent) -> None:
    made = {started(agent).session_id for _ in range(3)}
    reader = agent("alice")
    whole = [one.session_id for one in reader.list_sessions()]
    assert made <= set(whole) and whole == sorted(whole)
    assert [one.session_id for one in reader.list_sessions(page_size=2)] == whole
    page, token = reader.list_sessions_page(page_size=1)
    following, _ = reader.list_sessions_page(page_size=1, page_token=token)
    assert [one.session_id for one in [*page, *following]] == whole[:2]
    for request in (dict(page_size=-1), dict(page_token="not ours")):
        refusal = status_of(lambda request=request: reader.list_sessions_page(**request))
        assert refusal == ("INVALID_ARGUMENT", "INVALID_REQUEST")


def test_sessions_that_are_not_there_or_not_for_everybody(agent: Agent) -> None:
    session = started(agent)
    for name, session_id, refusal in [
        ("alice", new_session_id(), ("NOT_FOUND", "SESSION_NOT_FOUND")),
        ("dave", session.session_id, ("PERMISSION_DENIED", "FORBIDDEN")),
    ]:
        client = agent(name)
        assert status_of(lambda: client.get_session(session_id)) == refusal
    again = dict(intent="x", participants=["coordinator", "alice"], ttl_ms=60_000)
    assert code_of(lambda: session.start(**again)) == "SESSION_ALREADY_EXISTS"


def test_sent_twice_it_counts_once(agent: Agent) -> None:
    session = started(agent)
    session.propose("p1", "canary")
    proposal = session.projection.transcript[-1]
    again = session.client.send(proposal)
    assert (again.ok, again.duplicate, again.message_id) == (True, True, proposal.message_id)
    assert retry_send(session.client, proposal).accepted_at_unix_ms == again.accepted_at_unix_ms
    replayed(session, agent("alice"))
