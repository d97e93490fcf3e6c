"""Streams against a scripted server: resuming, inline errors, time limits, closing."""

import threading
import time

import grpc
import pytest
from fake_server import StreamResponse, frame
from handover_macp import (
    AuthConfig,
    MacpAckError,
    MacpClient,
    MacpClosedError,
    MacpSdkError,
    MacpSessionError,
    MacpTimeoutError,
    MacpTransportError,
    ReconnectPolicy,
    build_envelope,
    new_session_id,
)
from handover_macp._wire import METHODS
from handover_macp.aio import AsyncMacpClient

QUICK = ReconnectPolicy(max_attempts=3, backoff_base=0.01, backoff_max=0.02)
SESSION = new_session_id()


class History:
    """Serves m1..m<length> behind the asked sequence and breaks each connection after `per_connection` frames."""

    def __init__(self, fake, length=9, per_connection=3, status=grpc.StatusCode.UNAVAILABLE):
        self.asked = []
        self.tokens = []
        self.length = length
        self.per_connection = per_connection
        self.status = status
        fake.streams["StreamSession"] = self.serve

    def serve(self, requests, context):
        first = next(requests)
        self.asked.append(first.after_sequence)
        self.tokens.append(dict(context.invocation_metadata()).get("authorization"))
        start = first.after_sequence + 1
        for number in range(start, min(start + self.per_connection, self.length + 1)):
            yield frame(number, first.subscribe_session_id)
        if start + self.per_connection <= self.length + 1:
            if self.status is None:
                return
            context.abort(self.status, "broken")
        for _ in requests:  # All told: wait for the client to half-close.
            pass


@pytest.mark.parametrize("status", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, None])
def test_a_subscription_resumes_at_the_right_sequence(fake, fake_client, status):
    history = History(fake, status=status)
    with fake_client.open_stream(reconnect=QUICK) as stream:
        stream.send_subscribe(SESSION)
        read = [stream.read(timeout=5).message_id for _ in range(9)]
        assert stream.last_sequence == 9
    assert read == [f"m{n}" for n in range(1, 10)]
    assert history.asked[:3] == [0, 3, 6]
    assert set(history.tokens) == {"Bearer owner-a"}


def test_a_subscription_from_the_middle(fake, fake_client):
    history = History(fake)
    with fake_client.open_stream(reconnect=QUICK) as stream:
        stream.send_subscribe(SESSION, after_sequence=4)
        assert [stream.read(timeout=5).message_id for _ in range(5)] == ["m5", "m6", "m7", "m8", "m9"]
        assert stream.last_sequence == 9
    assert history.asked[:2] == [4, 7]


@pytest.mark.parametrize("status", ["UNAUTHENTICATED", "NOT_FOUND", "INVALID_ARGUMENT", "PERMISSION_DENIED"])
def test_a_failure_that_stays_ends_the_stream(fake, fake_client, status):
    history = History(fake, per_connection=2, status=grpc.StatusCode[status])
    stream = fake_client.open_stream(reconnect=QUICK)
    stream.send_subscribe(SESSION)
    assert [stream.read(timeout=5).message_id for _ in range(2)] == ["m1", "m2"]
    for _ in range(2):  # The error stays: it does not turn into an ordinary end.
        with pytest.raises(MacpTransportError) as raised:
            stream.read(timeout=5)
        assert raised.value.code == status
    assert len(history.asked) == 1


def test_attempts_in_a_row_are_bounded(fake, fake_client):
    history = History(fake, per_connection=0)
    stream = fake_client.open_stream(reconnect=QUICK)
    stream.send_subscribe(SESSION)
    with pytest.raises(MacpTransportError) as raised:
        stream.read(timeout=5)
    assert raised.value.code == "UNAVAILABLE"
    assert len(history.asked) == 4


def test_a_stream_that_is_not_subscribed_does_not_reconnect(fake, fake_client):
    opened = []

    def serve(requests, context):
        opened.append(next(requests).envelope.message_id)
        context.abort(grpc.StatusCode.UNAVAILABLE, "broken")
        yield

    fake.streams["StreamSession"] = serve
    stream = fake_client.open_stream(reconnect=QUICK)
    stream.send(offer("m1"))
    with pytest.raises(MacpTransportError):
        stream.read(timeout=5)
    assert opened == ["m1"]


def offer(message_id):
    return build_envelope(
        mode="macp.mode.handoff.v1",
        message_type="HandoffOffer",
        session_id=SESSION,
        payload={"handoff_id": "h1"},
        message_id=message_id,
    )


def inline(requests, context):
    first = next(requests)
    yield frame(1, first.subscribe_session_id)
    yield StreamResponse(error={"code": "FORBIDDEN", "message": "no", "session_id": SESSION, "message_id": "m9"})
    yield frame(2, first.subscribe_session_id)
    for _ in requests:
        pass


def test_inline_errors_reach_the_caller_and_the_stream_goes_on(fake, fake_client):
    fake.streams["StreamSession"] = inline
    with fake_client.open_stream() as stream:
        stream.send_subscribe(SESSION)
        assert stream.read(timeout=5).message_id == "m1"
        with pytest.raises(MacpAckError) as raised:
            stream.read(timeout=5)
        assert (raised.value.code, raised.value.session_id, raised.value.message_id) == ("FORBIDDEN", SESSION, "m9")
        assert stream.read(timeout=5).message_id == "m2"
        assert stream.last_sequence == 2


def test_inline_errors_can_be_handled_by_a_function(fake, fake_client):
    fake.streams["StreamSession"] = inline
    errors = []
    with fake_client.open_stream(on_inline_error=errors.append) as stream:
        stream.send_subscribe(SESSION)
        assert [stream.read(timeout=5).message_id for _ in range(2)] == ["m1", "m2"]
    assert [error.code for error in errors] == ["FORBIDDEN"]


def test_a_read_has_a_time_limit(fake, fake_client):
    History(fake, length=1)
    with fake_client.open_stream() as stream:
        stream.send_subscribe(SESSION)
        stream.read(timeout=5)
        started = time.monotonic()
        with pytest.raises(MacpTimeoutError):
            stream.read(timeout=0.1)
        assert time.monotonic() - started < 2
        with pytest.raises(MacpTimeoutError):
            stream.read(timeout=0)


def test_closing_wakes_a_reader_and_ends_iteration(fake, fake_client):
    History(fake, length=1)
    stream = fake_client.open_stream()
    stream.send_subscribe(SESSION)
    threading.Timer(0.2, stream.close).start()
    assert [envelope.message_id for envelope in stream] == ["m1"]
    assert stream.read() is None
    with pytest.raises(MacpSdkError, match="closed"):
        stream.send(offer("m1"))
    stream.close()


def test_closing_lets_what_was_sent_go_out(fake, fake_client):
    got = []

    def serve(requests, context):
        for request in requests:
            got.append(request.envelope.message_id)
        return
        yield

    fake.streams["StreamSession"] = serve
    stream = fake_client.open_stream()
    for number in range(50):
        stream.send(offer(f"m{number}"))
    stream.close()
    assert got == [f"m{number}" for number in range(50)]


def test_closing_a_stream_that_was_never_used(fake_client):
    stream = fake_client.open_stream()
    stream.close()
    assert stream.read() is None


def test_closing_while_the_server_is_away():
    client = MacpClient("127.0.0.1:1", secure=False)
    stream = client.open_stream()
    stream.send_subscribe(SESSION)
    started = time.monotonic()
    stream.close()
    client.close()
    assert time.monotonic() - started < 3


def test_closing_the_client_ends_its_streams(fake):
    History(fake, length=1)
    client = MacpClient(fake.address, secure=False)
    stream = client.open_stream()
    stream.send_subscribe(SESSION)
    stream.read(timeout=5)
    client.close()
    with pytest.raises(MacpClosedError, match="the client is closed"):
        stream.read(timeout=5)


def test_a_slow_reader_loses_nothing(fake, fake_client):
    History(fake, length=3000, per_connection=3000)
    with fake_client.open_stream() as stream:
        stream.send_subscribe(SESSION)
        time.sleep(0.3)
        assert [stream.read(timeout=5).message_id for _ in range(3000)] == [f"m{n}" for n in range(1, 3001)]


def test_one_stream_one_session(fake, fake_client):
    History(fake)
    with fake_client.open_stream() as stream:
        stream.send_subscribe(SESSION)
        stream.send_subscribe(SESSION)  # Says the same again: nothing to do.
        with pytest.raises(MacpSessionError, match="session_id"):
            stream.send_subscribe(new_session_id())
        with pytest.raises(MacpSessionError, match="after_sequence"):
            stream.send_subscribe(SESSION, after_sequence=-1)


def event(kind, session_id, state):
    response = METHODS["WatchSessions"].response
    return response(event={"event_type": kind, "session": {"session_id": session_id, "state": state}})


def test_a_watch_of_sessions_tells_news_once_over_reconnects(fake, fake_client):
    rounds = [
        [event(1, "a", 1), event(1, "b", 1), event(1, "c", 4), event(2, "b", 2)],
        [event(1, "a", 5), event(1, "b", 2), event(1, "c", 1), event(1, "d", 1)],
    ]

    def serve(request, context):
        yield from rounds.pop(0)
        if rounds:
            context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "lag")
        while context.is_active():
            time.sleep(0.02)

    fake.streams["WatchSessions"] = serve
    with fake_client.watch_sessions(reconnect=QUICK) as watch:
        told = [watch.read(timeout=5) for _ in range(7)]
        with pytest.raises(MacpTimeoutError):
            watch.read(timeout=0.1)
    assert [(item.event_type, item.session.session_id) for item in told] == [
        ("CREATED", "a"),
        ("CREATED", "b"),
        ("CREATED", "c"),
        ("RESOLVED", "b"),
        ("CANCELLED", "a"),
        ("RESUMED", "c"),
        ("CREATED", "d"),
    ]
    assert told[3].is_terminal and not told[0].is_terminal


@pytest.mark.parametrize(
    "name", ["WatchSessions", "WatchPolicies", "WatchModeRegistry", "WatchRoots", "WatchSignals"]
)
def test_watches_carry_the_credential(fake, fake_client, name):
    tokens = []

    def serve(request, context):
        tokens.append(dict(context.invocation_metadata()).get("authorization"))
        context.abort(grpc.StatusCode.PERMISSION_DENIED, "no")
        yield

    fake.streams[name] = serve
    method = {"WatchModeRegistry": "watch_mode_registry"}.get(name, "watch_" + name[5:].lower())
    for auth in (None, AuthConfig.for_bearer("other")):
        with pytest.raises(MacpTransportError):
            getattr(fake_client, method)(auth=auth).read(timeout=5)
    assert tokens == ["Bearer owner-a", "Bearer other"]


async def test_the_asyncio_stream_resumes_alike(fake):
    history = History(fake)
    async with AsyncMacpClient(fake.address, secure=False) as client:
        async with client.open_stream(reconnect=QUICK) as stream:
            stream.send_subscribe(SESSION)
            read = []
            async for envelope in stream:
                read.append(envelope.message_id)
                if len(read) == 9:
                    break
            assert stream.last_sequence == 9
            with pytest.raises(MacpTimeoutError):
                await stream.read(timeout=0.1)
    assert read == [f"m{n}" for n in range(1, 10)]
    assert history.asked == [0, 3, 6, 9]


async def test_the_asyncio_stream_tells_errors_alike(fake):
    async with AsyncMacpClient(fake.address, secure=False) as client:
        fake.streams["StreamSession"] = inline
        async with client.open_stream() as stream:
            stream.send_subscribe(SESSION)
            assert (await stream.read(timeout=5)).message_id == "m1"
            with pytest.raises(MacpAckError):
                await stream.read(timeout=5)
            assert (await stream.read(timeout=5)).message_id == "m2"
        History(fake, per_connection=1, status=grpc.StatusCode.NOT_FOUND)
        stream = client.open_stream(reconnect=QUICK)
        stream.send_subscribe(SESSION)
        await stream.read(timeout=5)
        with pytest.raises(MacpTransportError) as raised:
            await stream.read(timeout=5)
        assert raised.value.code == "NOT_FOUND"


async def test_the_asyncio_stream_sends_before_it_closes(fake):
    got = []

    def serve(requests, context):
        for request in requests:
            got.append(request.envelope.message_id)
        return
        yield

    fake.streams["StreamSession"] = serve
    async with AsyncMacpClient(fake.address, secure=False) as client:
        stream = client.open_stream()
        for number in range(50):
            stream.send(offer(f"m{number}"))
        await stream.close()
        assert await stream.read() is None
    assert got == [f"m{number}" for number in range(50)]
