"""The inbox: the offers that wait for an agent, and nothing else; both clients alike."""

import asyncio
import time

import grpc
import pytest
from handover_macp import (
    AuthConfig,
    HandoffSession,
    MacpClient,
    MacpSessionError,
    MacpTransportError,
    aio,
    new_session_id,
    open_offers,
)
from handover_macp._wire import METHODS
from worker_kit import Calls

PEOPLE = ["bob", "carol"]


@pytest.fixture
def alice(server):
    with MacpClient(server.address, auth=AuthConfig.for_dev_agent("alice")) as client:
        yield client


def offer(client, target, **changes):
    session = HandoffSession(client)
    people = sorted({*PEOPLE, target})
    session.start(**{"intent": "x", "participants": people, "ttl_ms": 60_000, **changes})
    session.offer("h1", target, scope="s", reason="r")
    return session


def both(server, agent):
    """What the inbox of an agent says, through both clients."""
    auth = AuthConfig.for_dev_agent(agent)

    async def in_asyncio():
        async with aio.AsyncMacpClient(server.address, auth=auth) as client:
            return await aio.open_offers(client)

    with MacpClient(server.address, auth=auth) as client:
        found = open_offers(client)
    assert asyncio.run(in_asyncio()) == found
    return found


def test_what_waits_oldest_first_with_its_context(server, alice):
    me = f"bob-{new_session_id()}"
    sessions = [offer(alice, me) for _ in range(20)]
    sessions[3].add_context("h1", content_type="text/plain", context=b"all quiet")
    sessions[5].accept_handoff("h1", sender=me)
    sessions[6].cancel()
    offer(alice, me, ttl_ms=500)
    sessions[7].decline("h1", sender=me)
    sessions[7].offer("h2", "carol")
    sessions[8].suspend()
    time.sleep(0.5)
    left = [one for number, one in enumerate(sessions) if number not in (5, 6, 7, 8)]
    found = both(server, me)
    assert [one.session_id for one in found] == [one.session_id for one in left]
    assert [record.text() for record in found[3].contexts] == ["all quiet"]
    first = found[0]
    assert (first.handoff_id, first.owner, first.scope, first.reason, first.contexts) == ("h1", "alice", "s", "r", ())
    assert 0 < first.offered_at_unix_ms < first.expires_at_unix_ms
    assert [one.session_id for one in both(server, "carol") if one.session_id == sessions[7].session_id]
    assert both(server, "alice") == []
    # Under the name of somebody else, as a dev credential can.
    assert len(open_offers(alice, me)) == 16


def test_sessions_that_ended_are_not_read(server, alice):
    me = f"bob-{new_session_id()}"
    for _ in range(150):
        offer(alice, me).cancel()
    waiting = offer(alice, me)
    with Calls(server.address) as calls:
        with MacpClient(calls.address, auth=AuthConfig.for_dev_agent(me)) as client:
            assert [one.session_id for one in open_offers(client)] == [waiting.session_id]
    # Every page of the list, and one history.
    assert calls.count("StreamSession") == 1 and calls.count("ListSessions") >= 2


def test_a_wrong_agent_fails_before_the_network(fake):
    with MacpClient(fake.address) as client:
        with pytest.raises(MacpSessionError, match="agent is missing, and the credential does not say whose it is"):
            open_offers(client)
        with pytest.raises(MacpSessionError, match="agent is missing or blank"):
            open_offers(client, " ")


async def test_a_failure_ends_the_look(fake):
    session = {"mode": "macp.mode.handoff.v1", "state": 1, "participants": ["bob"], "initiator": "alice"}
    sessions = [{**session, "session_id": new_session_id()} for _ in range(40)]
    fake.unary["ListSessions"] = lambda request, context: METHODS["ListSessions"].response(sessions=sessions)
    asked = []

    def refuse(requests, context):
        asked.append(1)
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no")
        yield

    fake.streams["StreamSession"] = refuse
    async with aio.AsyncMacpClient(fake.address, auth=AuthConfig.for_dev_agent("bob")) as client:
        with pytest.raises(MacpTransportError, match="INVALID_ARGUMENT"):
            await aio.open_offers(client)
    assert 1 <= len(asked) <= 32
