"""More waits and streams of one identity than its server allows; lists and histories that do not end."""

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from fake_server import frame
from handover_macp import (
    AuthConfig,
    HandoffSession,
    MacpClient,
    MacpSessionEndedError,
    MacpTimeoutError,
    MacpTransportError,
    new_session_id,
)
from handover_macp._wire import METHODS
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient
from handover_macp.aio.inbox import open_offers as open_offers_async
from handover_macp.inbox import open_offers
from server_process import ServerProcess

ALICE = AuthConfig.for_dev_agent("alice")
ALLOWED = 24


@pytest.fixture(scope="module")
def crowded():
    process = ServerProcess("--dev", "--memory-only", env={"HANDOVER_LISTENERS_PER_PRINCIPAL": str(ALLOWED)})
    yield process.address
    process.stop()


def answer_all(target, agent, sessions):
    """Accepts what alice hands over in these sessions, when the offers have come."""
    with MacpClient(target, auth=AuthConfig.for_dev_agent(agent)) as client:
        for session_id in sessions:
            HandoffSession(client, session_id).accept_handoff(f"to:{agent}")


def test_waits_beyond_the_streams_hear_their_answers(crowded):
    with MacpClient(crowded, auth=ALICE) as client, ThreadPoolExecutor(40) as pool:
        sessions = [HandoffSession(client) for _ in range(40)]
        waits = [pool.submit(one.hand_over, "bob", "x", timeout=40) for one in sessions]
        wait_until(lambda: all(one.projection.get_handoff("to:bob") for one in sessions))
        look = HandoffSession(client)
        look.start(intent="x", participants=["bob"], ttl_ms=60_000)
        assert look.sync().session_state == "OPEN"
        answer_all(crowded, "bob", [one.session_id for one in sessions])
        assert {wait.result().disposition for wait in waits} == {"accepted"}


def test_asyncio_waits_beyond_the_streams_hear_their_answers(crowded):
    async def main():
        async with AsyncMacpClient(crowded, auth=ALICE) as client:
            sessions = [AsyncHandoffSession(client) for _ in range(40)]
            waits = [asyncio.ensure_future(one.hand_over("ben", "x", timeout=40)) for one in sessions]
            while not all(one.projection.get_handoff("to:ben") for one in sessions):
                await asyncio.sleep(0.02)
            await asyncio.to_thread(answer_all, crowded, "ben", [one.session_id for one in sessions])
            return [(await wait).disposition for wait in waits]

    assert set(asyncio.run(asyncio.wait_for(main(), 60))) == {"accepted"}


def test_what_is_refused_is_told_once_and_named_at_the_end(crowded, caplog, monkeypatch):
    monkeypatch.setattr("handover_macp._refused._told_at", float("-inf"))
    with MacpClient(crowded, auth=AuthConfig.for_dev_agent("dora")) as client:
        sessions = [HandoffSession(client) for _ in range(ALLOWED + 4)]
        for session in sessions:
            session.start(intent="x", participants=["nobody"], ttl_ms=60_000)
        streams = [session.open_stream() for session in sessions]
        heard = threading.Semaphore(0)
        for stream in streams:
            threading.Thread(target=lambda one=stream: (one.read(), heard.release()), daemon=True).start()
        assert all(heard.acquire(timeout=20) for _ in range(ALLOWED))
        with caplog.at_level(logging.WARNING), pytest.raises(MacpTimeoutError, match="LISTENERS_PER_PRINCIPAL"):
            HandoffSession(client).hand_over("nobody", "x", timeout=2)
        with pytest.raises(MacpTimeoutError, match="LISTENERS_PER_PRINCIPAL"):
            sessions[0].sync(timeout=1)
        for stream in streams:
            stream.close()
    assert len([line for line in caplog.records if "LISTENERS_PER_PRINCIPAL" in line.getMessage()]) <= 1


def test_the_end_of_a_session_has_a_class(crowded):
    with MacpClient(crowded, auth=AuthConfig.for_dev_agent("erin")) as client, ThreadPoolExecutor(1) as pool:
        with pytest.raises(MacpSessionEndedError) as expired:
            HandoffSession(client).hand_over("nobody", "x", ttl_ms=700)
        assert expired.value.state == "EXPIRED" and "state" in expired.value.advice
        session = HandoffSession(client)
        waiting = pool.submit(session.hand_over, "nobody", "x")
        wait_until(lambda: session.projection.get_handoff("to:nobody"))
        session.cancel()
        with pytest.raises(MacpSessionEndedError) as cancelled:
            waiting.result()
        assert cancelled.value.state == "CANCELLED"


def wait_until(true):
    reached = threading.Event()
    for _ in range(2_000):
        if true():
            return
        reached.wait(0.01)
    pytest.fail("not reached")


def lists(fake, token_after):
    asked = []

    def answer(request, context):
        asked.append(request.page_token)
        return METHODS["ListSessions"].response(next_page_token=token_after(len(asked)))

    fake.unary["ListSessions"] = answer
    return asked


async def ask_async(address, timeout):
    async with AsyncMacpClient(address, auth=ALICE, default_timeout=timeout) as client:
        for ask in (client.list_sessions, lambda: open_offers_async(client)):
            with pytest.raises(MacpTransportError) as failed:
                await ask()
            yield failed.value


@pytest.mark.parametrize("token_after, timeout, code", [
    (lambda n: "same", 20.0, "INTERNAL"),
    (str, 0.4, "DEADLINE_EXCEEDED"),
])
def test_a_list_that_does_not_end(fake, token_after, timeout, code):
    lists(fake, token_after)
    with MacpClient(fake.address, auth=ALICE, default_timeout=timeout) as client:
        for ask in (client.list_sessions, lambda: open_offers(client)):
            with pytest.raises(MacpTransportError) as failed:
                ask()
            assert failed.value.code == code

    async def main():
        return [error.code async for error in ask_async(fake.address, timeout)]

    assert asyncio.run(main()) == [code, code]


def test_a_history_that_does_not_end(fake):
    session_id = new_session_id()

    def endless(requests, context):
        number = 0
        while context.is_active():
            number += 1
            yield frame(number, session_id)

    fake.streams["StreamSession"] = endless
    with MacpClient(fake.address, auth=ALICE) as client, pytest.raises(MacpTimeoutError):
        HandoffSession(client, session_id).sync(timeout=0.5)

    async def main():
        async with AsyncMacpClient(fake.address, auth=ALICE) as client:
            with pytest.raises(MacpTimeoutError):
                await AsyncHandoffSession(client, session_id).sync(timeout=0.5)

    asyncio.run(main())
