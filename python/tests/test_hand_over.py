"""Handing over in one call, waiting for an answer, and context as text and JSON; synchronous and in asyncio alike."""

import asyncio
import threading

import pytest
from handover_macp import (
    AuthConfig,
    HandoffContextRecord,
    HandoffSession,
    MacpClient,
    MacpSdkError,
    MacpSessionError,
    MacpTimeoutError,
    MacpTooLargeError,
    context_json,
    context_text,
    encode_context,
    new_session_id,
)
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient

START = {"intent": "x", "participants": ["bob", "carol"], "ttl_ms": 60_000}


@pytest.fixture
def alice(server):
    with MacpClient(server.address, auth=AuthConfig.for_dev_agent("alice")) as client:
        yield client


def answer(server, session_id, target, verb):
    """Answers in the target's name as soon as the offer is there."""
    with MacpClient(server.address, auth=AuthConfig.for_dev_agent(target)) as client:
        session = HandoffSession(client, session_id)
        handoff_id = f"to:{target}"
        with session.open_stream() as stream:
            while session.projection.get_handoff(handoff_id) is None:
                assert stream.read(20) is not None
        getattr(session, verb)(handoff_id, reason=f"{target} says so")


def while_answering(server, session, target, verb, act):
    other = threading.Timer(0.2, answer, (server, session.session_id, target, verb))
    other.start()
    try:
        return act()
    finally:
        other.join()


def test_a_whole_handoff_in_one_call(server, alice):
    session = HandoffSession(alice, new_session_id())
    context = {"runbook": "https://wiki/x", "open": [1, 2]}
    session.start(**START)
    no = while_answering(server, session, "bob", "decline", lambda: session.hand_over("bob", context, timeout=30))
    assert (no.disposition, no.outcome_reason) == ("declined", "bob says so")
    assert not session.projection.is_committed
    hand_over = lambda: session.hand_over("carol", "all quiet", scope="pager")  # noqa: E731
    yes = while_answering(server, session, "carol", "accept_handoff", hand_over)
    assert (yes.disposition, yes.accepted_by) == ("accepted", "carol")
    assert session.projection.commitment.reason == "carol accepted pager"
    assert [record.json() for record in session.projection.contexts["to:bob"]] == [context]
    assert [record.text() for record in session.projection.contexts["to:carol"]] == ["all quiet"]
    length = len(session.projection.transcript)
    # As a process that was started again and knows the session's id only.
    again = HandoffSession(alice, session.session_id)
    again.sync()
    assert again.hand_over("carol", "all quiet", scope="pager").disposition == "accepted"
    assert len(again.sync().transcript) == length == len(session.sync().transcript)


async def test_a_handoff_whose_context_is_refused_is_offered_to_nobody(server, alice):
    session = HandoffSession(alice)
    with pytest.raises(MacpTooLargeError):
        session.hand_over("bob", "x" * 2_000_000)
    assert session.metadata().state == "CANCELLED"
    async with AsyncMacpClient(server.address, auth=AuthConfig.for_dev_agent("alice")) as client:
        other = AsyncHandoffSession(client)
        with pytest.raises(MacpTooLargeError):
            await other.hand_over("bob", "x" * 2_000_000)
        assert (await other.metadata()).state == "CANCELLED"


async def test_what_was_declined_and_committed_before_is_found_when_it_is_called_again(server, alice):
    session_id = new_session_id()
    first = HandoffSession(alice, session_id)
    other = threading.Thread(target=_later, args=(server, session_id, "decline"))
    other.start()
    no = first.hand_over("bob", scope="pager", timeout=30)
    other.join()
    assert (no.disposition, first.projection.is_committed) == ("declined", False)
    first.commit()
    # Started again by a process that knows the id only: it says the same, and goes by what it then knows.
    again = HandoffSession(alice, session_id)
    assert again.hand_over("bob", scope="pager", timeout=30).disposition == "declined"
    assert (again.projection.is_committed, len(again.projection.transcript)) == (True, 4)
    async with AsyncMacpClient(server.address, auth=AuthConfig.for_dev_agent("alice")) as client:
        other = AsyncHandoffSession(client, session_id)
        assert (await other.hand_over("bob", scope="pager", timeout=30)).disposition == "declined"
        assert (other.projection.is_committed, len(other.projection.transcript)) == (True, 4)


async def test_a_whole_handoff_in_asyncio_with_the_same_ids(server, alice):
    async with AsyncMacpClient(server.address, auth=AuthConfig.for_dev_agent("alice")) as client:
        session = AsyncHandoffSession(client)
        other = asyncio.create_task(asyncio.to_thread(lambda: _later(server, session.session_id)))
        offer = await session.hand_over("bob", b"\0", scope="pager", reason="my shift ends", timeout=30)
        await other
        assert (offer.accepted_by, offer.reason) == ("bob", "my shift ends")
        ids = [envelope.message_id for envelope in session.projection.transcript]
        sid = session.session_id
        # The answer may come before the context: whose turn it is nobody says.
        assert {f"start:{sid}", "offer:to:bob", "context:to:bob", f"commit:{sid}"} < set(ids) and len(ids) == 5
        assert session.projection.commitment.commitment_id == f"commit:{sid}"
        assert session.projection.session_start.intent == "pager"


def _later(server, session_id, verb="accept_handoff"):
    with MacpClient(server.address, auth=AuthConfig.for_dev_agent("bob")) as client:
        for _ in range(200):
            if any(one.session_id == session_id for one in client.list_sessions()):
                return answer(server, session_id, "bob", verb)
            threading.Event().wait(0.05)


def test_what_cannot_be_fails_before_the_network(alice):
    session = HandoffSession(alice)
    wrong = [
        ("target", lambda: session.hand_over(" ")),
        ("context", lambda: session.hand_over("bob", object())),
        ("context", lambda: session.hand_over("bob", float("nan"))),
        ("context", lambda: session.hand_over("bob", "\ud800")),
        ("content_type", lambda: session.hand_over("bob", "x", content_type="")),
        ("handoff_id", lambda: session.hand_over("bob", handoff_id="")),
        ("timeout", lambda: session.hand_over("bob", timeout=0)),
        ("ttl_ms", lambda: session.hand_over("bob", ttl_ms=0)),
        ("handoff_id", lambda: session.wait_for_answer("")),
        ("timeout", lambda: session.wait_for_answer("h", timeout=-1)),
    ]
    for argument, act in wrong:
        with pytest.raises(MacpSessionError) as raised:
            act()
        assert raised.value.argument == argument
    assert session.projection.transcript == []


def offered(client, ttl_ms=60_000):
    session = HandoffSession(client)
    session.start(**{**START, "ttl_ms": ttl_ms})
    session.offer("h1", "bob")
    return session


def test_a_wait_ends_at_its_time_and_can_be_taken_up_again(alice):
    session = offered(alice)
    with pytest.raises(MacpTimeoutError, match="no answer to h1 within 0.1 s") as raised:
        session.wait_for_answer("h1", timeout=0.1)
    assert raised.value.session_id == session.session_id
    HandoffSession(alice, session.session_id).accept_handoff("h1", sender="bob")
    assert session.wait_for_answer("h1").disposition == "accepted"


def test_a_wait_ends_with_the_session(alice):
    cancelled = offered(alice)
    timer = threading.Timer(0.2, lambda: HandoffSession(alice, cancelled.session_id).cancel("over"))
    timer.start()
    with pytest.raises(MacpSdkError, match="the session is CANCELLED: there will be no answer to h1"):
        cancelled.wait_for_answer("h1", timeout=30)
    expired = offered(alice, ttl_ms=500)
    with pytest.raises(MacpSdkError, match="the session is EXPIRED"):
        expired.wait_for_answer("h1", timeout=30)
    answered = offered(alice, ttl_ms=500)
    HandoffSession(alice, answered.session_id).accept_handoff("h1", sender="bob")
    threading.Event().wait(0.6)
    assert answered.wait_for_answer("h1", timeout=30).disposition == "accepted"


async def test_a_wait_in_asyncio_ends_with_the_session_and_can_be_cancelled(server, alice):
    async with AsyncMacpClient(server.address, auth=AuthConfig.for_dev_agent("alice")) as client:
        expired = AsyncHandoffSession(client, offered(alice, ttl_ms=500).session_id)
        with pytest.raises(MacpSdkError, match="the session is EXPIRED"):
            await expired.wait_for_answer("h1", timeout=30)
        left = AsyncHandoffSession(client, offered(alice).session_id)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(left.wait_for_answer("h1"), 0.3)


def test_a_context_is_text_json_or_bytes_and_says_which():
    def record(content, content_type=None):
        kind, data = encode_context(content, content_type)
        return HandoffContextRecord("h1", kind, data)

    text = record("grüße")
    assert (text.content_type, context_text(text), context_json(text)) == ("text/plain; charset=utf-8", "grüße", None)
    json = record({"a": [1, None, "ü"]})
    assert (json.content_type, json.context) == ("application/json", '{"a":[1,null,"ü"]}'.encode())
    assert json.json() == {"a": [1, None, "ü"]}
    raw = record(b"\xff")
    assert (raw.content_type, raw.text(), raw.json()) == ("application/octet-stream", None, None)
    assert record("# x", "text/markdown").content_type == "text/markdown"
