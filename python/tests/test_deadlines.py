"""A call takes no longer than it may, with all its attempts and waits; and waits as long as the server asks."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from fake_server import accepted, refused
from handover_macp import (
    AuthConfig,
    HandoffSession,
    MacpAckError,
    MacpClient,
    MacpRetryError,
    MacpSessionError,
    MacpTimeoutError,
    MacpTransportError,
    RetryPolicy,
    new_session_id,
)
from handover_macp._wire import METHODS
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient

OWNER = AuthConfig.for_dev_agent("owner-a")
START = {"intent": "x", "participants": ["owner-b"], "ttl_ms": 60_000}


def script(fake, answer):
    """Answers Send; what was left of the deadline at each attempt, and when it came."""
    seen = []

    def handle(request, context):
        seen.append((context.time_remaining(), time.monotonic()))
        return answer(request, context, len(seen))

    fake.unary["Send"] = handle
    return seen


def unavailable(request, context, attempt):
    context.abort(grpc.StatusCode.UNAVAILABLE, "not now")


def test_each_attempt_has_what_is_left(fake):
    seen = script(fake, unavailable)
    with MacpClient(fake.address, auth=OWNER, default_timeout=5) as client:
        with pytest.raises(MacpRetryError):
            HandoffSession(client, retry=RetryPolicy(backoff_base=0.2, backoff_max=0.2)).start(**START)
    left = [remaining for remaining, _ in seen]
    assert len(left) == 4 and left[0] <= 5.01
    # Waits of 0.2 s lie between; what is left never grows again.
    assert all(later <= earlier - 0.15 for earlier, later in zip(left, left[1:]))


def test_no_attempt_begins_after_the_deadline(fake):
    seen = script(fake, unavailable)
    with MacpClient(fake.address, auth=OWNER) as client:
        session = HandoffSession(client, retry=RetryPolicy(max_retries=50, backoff_base=0.2, backoff_max=0.2))
        with pytest.raises(MacpTransportError) as raised:
            session.start(**START, timeout=0.5)
    assert raised.value.code in ("UNAVAILABLE", "DEADLINE_EXCEEDED")
    assert not isinstance(raised.value, MacpRetryError) and 1 <= len(seen) <= 3


def test_a_silent_server_is_asked_once(fake):
    seen = script(fake, lambda request, context, attempt: time.sleep(1) or accepted(request))
    with MacpClient(fake.address, auth=OWNER) as client:
        with pytest.raises(MacpTimeoutError, match="in time: is it the gRPC port of the runtime"):
            HandoffSession(client).start(**START, timeout=0.2)
    assert len(seen) == 1


def test_a_commitment_and_what_it_needs_first_have_one_deadline(fake):
    asked = []

    def get_session(request, context):
        asked.append(context.time_remaining())
        time.sleep(0.3)
        return METHODS["GetSession"].response(metadata={"mode_version": "1.0.0", "session_id": request.session_id})

    fake.unary["GetSession"] = get_session
    seen = script(fake, lambda request, context, attempt: accepted(request))
    with MacpClient(fake.address, auth=OWNER) as client:
        HandoffSession(client, new_session_id()).commit("handoff.declined", "s", "r", timeout=4)
    assert asked[0] <= 4.01 and seen[0][0] <= asked[0] - 0.25


def limited(wait_ms):
    return lambda request, context, attempt: (
        refused(request, "RATE_LIMITED", b'{"retry_after_ms": %d}' % wait_ms) if attempt == 1 else accepted(request)
    )


def test_a_wait_that_the_server_asks_for_is_waited(fake):
    seen = script(fake, limited(400))
    with MacpClient(fake.address, auth=OWNER) as client:
        assert HandoffSession(client).start(**START).ok
    assert len(seen) == 2 and seen[1][1] - seen[0][1] >= 0.4


async def test_a_wait_that_the_server_asks_for_is_waited_in_asyncio(fake):
    seen = script(fake, limited(400))
    async with AsyncMacpClient(fake.address, auth=OWNER) as client:
        assert (await AsyncHandoffSession(client).start(**START)).ok
    assert len(seen) == 2 and seen[1][1] - seen[0][1] >= 0.4


def test_a_wait_that_the_call_has_no_time_for_is_told_at_once(fake):
    seen = script(fake, limited(58_000))
    with MacpClient(fake.address, auth=OWNER) as client:
        with pytest.raises(MacpAckError) as raised:
            HandoffSession(client).start(**START, timeout=30)
        assert len(seen) == 1
        seen.clear()
        with pytest.raises(MacpAckError):
            HandoffSession(client, retry=RetryPolicy(longest_wait=57)).start(**START)
    assert (raised.value.macp_code, raised.value.retry_after_ms, len(seen)) == ("RATE_LIMITED", 58_000, 1)


def test_a_wait_that_the_server_asks_for_comes_on_top_of_the_clients_own_time(fake):
    seen = script(fake, limited(700))
    with MacpClient(fake.address, auth=OWNER, default_timeout=0.5) as client:
        assert HandoffSession(client).start(**START).ok
    assert len(seen) == 2 and 0.1 < seen[1][0] <= 0.6


class Window:
    """Takes so many messages in a time, as a server does, and counts what it refuses and who asks too early."""

    def __init__(self, most, seconds):
        self.most, self.seconds = most, seconds
        self.taken, self.not_before = [], {}
        self.refused, self.early = 0, 0
        self.lock = threading.Lock()

    def __call__(self, request, context, attempt):
        name, now = request.envelope.message_id, time.monotonic()
        with self.lock:
            self.early += now < self.not_before.get(name, 0)
            self.taken = [at for at in self.taken if now - at < self.seconds]
            if len(self.taken) < self.most:
                self.taken.append(now)
                return accepted(request)
            self.refused += 1
            wait_ms = int((self.seconds - (now - self.taken[0])) * 1000) + 1
            self.not_before[name] = now + (wait_ms - 1) / 1000
        return refused(request, "RATE_LIMITED", b'{"retry_after_ms": %d}' % wait_ms)


def test_a_burst_that_is_too_much_ends_without_an_error_and_without_a_storm(fake):
    window = Window(most=20, seconds=1.5)
    script(fake, window)
    with MacpClient(fake.address, auth=OWNER, default_timeout=5) as client, ThreadPoolExecutor(35) as pool:
        acks = list(pool.map(lambda _: HandoffSession(client).start(**START), range(35)))
    assert all(ack.ok for ack in acks)
    # 15 wait, and some of them a moment more; nobody asks before the time is over.
    assert 15 <= window.refused <= 40 and window.early == 0


async def test_a_burst_in_asyncio_ends_without_an_error_and_without_a_storm(fake):
    window = Window(most=20, seconds=1.5)
    script(fake, window)
    async with AsyncMacpClient(fake.address, auth=OWNER, default_timeout=5) as client:
        acks = await asyncio.gather(*(AsyncHandoffSession(client).start(**START) for _ in range(35)))
    assert all(ack.ok for ack in acks)
    assert 15 <= window.refused <= 40 and window.early == 0


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "3"])
def test_a_timeout_that_is_none(fake, timeout):
    seen = script(fake, unavailable)
    with MacpClient(fake.address, auth=OWNER) as client, pytest.raises(MacpSessionError, match="timeout"):
        HandoffSession(client).start(**START, timeout=timeout)
    assert seen == []


async def test_the_time_begins_when_a_call_is_awaited(fake):
    seen = script(fake, lambda request, context, attempt: accepted(request))
    async with AsyncMacpClient(fake.address, auth=OWNER) as client:
        call = AsyncHandoffSession(client).start(**START, timeout=3)
        await asyncio.sleep(0.5)
        await call
    assert seen[0][0] > 2.6


def test_a_message_id_of_ones_own_makes_a_repetition_harmless(owner):
    session = HandoffSession(owner)
    assert not session.start(**START, message_id="start-1").duplicate
    again = HandoffSession(owner, session.session_id).start(**START, message_id="start-1")
    assert again.duplicate and again.message_id == "start-1"


def test_waits_that_the_server_asks_for_use_up_no_retry_but_end(fake):
    def answer(request, context, attempt):
        return refused(request, "RATE_LIMITED", b'{"retry_after_ms": 1}') if attempt <= refusals else accepted(request)

    quick = RetryPolicy(max_retries=1, backoff_base=0.001, backoff_max=0.001)
    with MacpClient(fake.address, auth=OWNER) as client:
        refusals = 20
        seen = script(fake, answer)
        assert HandoffSession(client, retry=quick).start(**START).ok and len(seen) == 21
        refusals = 1_000
        seen = script(fake, answer)
        with pytest.raises(MacpAckError):
            HandoffSession(client, retry=quick).start(**START)
        assert len(seen) == 21
        seen = script(fake, answer)
        with pytest.raises(MacpAckError):
            HandoffSession(client, retry=RetryPolicy(max_retries=0)).start(**START)
        assert len(seen) == 1
