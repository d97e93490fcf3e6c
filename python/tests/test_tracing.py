"""Spans of OpenTelemetry, with the real SDK of it; and the client without."""

import asyncio
import os
import re
import subprocess
import sys

import pytest
from handover_macp import AuthConfig, HandoffSession, MacpAckError, MacpClient, MacpTransportError, new_session_id
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient
from opentelemetry import baggage, context, trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from server_process import ROOT
from worker_kit import Calls

ALICE = AuthConfig.for_dev_agent("alice")
SECRETS = ("my secret", "alice-token")


@pytest.fixture(scope="module")
def exporter():
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


@pytest.fixture
def spans(exporter):
    exporter.clear()
    return exporter.get_finished_spans


def hand_over(client):
    session = HandoffSession(client, new_session_id())
    session.start(intent="my secret", participants=["bob"], ttl_ms=60_000, message_id="m0")
    session.offer("h1", "bob", scope="my secret", message_id="m1")
    session.add_context("h1", context=b"my secret")
    with pytest.raises(MacpAckError):
        session.accept_handoff("h1", sender="alice", reason="my secret")
    return session


async def hand_over_in_asyncio(address):
    async with AsyncMacpClient(address, auth=ALICE) as client:
        session = AsyncHandoffSession(client)
        await session.start(intent="my secret", participants=["bob"], ttl_ms=60_000, message_id="m0")
        await session.offer("h1", "bob", scope="my secret", message_id="m1")
        await session.add_context("h1", context=b"my secret")
        with pytest.raises(MacpAckError):
            await session.accept_handoff("h1", sender="alice", reason="my secret")
        return session


@pytest.mark.parametrize("kind", ["sync", "asyncio"])
def test_a_span_for_each_message_with_ids_and_code_and_no_content(server, spans, kind):
    with trace.get_tracer("test").start_as_current_span("mine") as mine:
        if kind == "sync":
            with MacpClient(server.address, auth=ALICE) as client:
                session = hand_over(client)
        else:
            session = asyncio.run(hand_over_in_asyncio(server.address))
    told = [span for span in spans() if span.name != "mine"]
    assert [(span.name, span.kind.name) for span in told] == [("macp.v1.MACPRuntimeService/Send", "CLIENT")] * 4
    assert {span.context.trace_id for span in told} == {mine.get_span_context().trace_id}
    assert {span.parent.span_id for span in told} == {mine.get_span_context().span_id}
    assert told[1].attributes == {
        "rpc.system": "grpc",
        "rpc.service": "macp.v1.MACPRuntimeService",
        "rpc.method": "Send",
        "macp.session_id": session.session_id,
        "macp.message_id": "m1",
        "macp.message_type": "HandoffOffer",
        "macp.mode": "macp.mode.handoff.v1",
        "macp.code": "OK",
    }
    assert told[1].status.is_ok and not told[1].status.is_unset
    assert (told[3].attributes["macp.code"], told[3].status.description) == ("FORBIDDEN", "FORBIDDEN")
    assert not told[3].status.is_ok
    for span in told:
        text = span.to_json()
        assert not any(secret in text for secret in SECRETS) and "Bearer" not in text and span.events == ()


def test_a_call_that_fails_has_its_status(server, spans):
    with MacpClient(server.address, auth=ALICE) as client, pytest.raises(MacpTransportError):
        client.get_session(new_session_id())
    (span,) = spans()
    assert (span.name, span.attributes["macp.code"]) == ("macp.v1.MACPRuntimeService/GetSession", "SESSION_NOT_FOUND")
    assert not span.status.is_ok


def test_the_trace_goes_along_on_calls_and_streams_and_nothing_else(server, spans):
    seen = []
    with Calls(server.address) as calls:
        calls.heard = lambda name, metadata: seen.append((name, dict(metadata)))
        token = context.attach(baggage.set_baggage("customer", "my secret"))
        with trace.get_tracer("test").start_as_current_span("mine") as mine:
            with MacpClient(calls.address, auth=ALICE) as client:
                session = hand_over(client)
                with session.open_stream() as stream:
                    stream.read(10)

            async def follow():
                async with AsyncMacpClient(calls.address, auth=ALICE) as other:
                    async with other.watch_sessions() as watch:
                        await watch.read(10)
                    await other.list_modes()

            asyncio.run(follow())
        context.detach(token)
    trace_id = f"{mine.get_span_context().trace_id:032x}"
    sends = [span for span in spans() if span.name.endswith("/Send")]
    parents = [metadata["traceparent"].split("-")[2] for name, metadata in seen if name == "Send"]
    assert parents == [f"{span.context.span_id:016x}" for span in sends]
    assert {name for name, _ in seen} == {"Send", "StreamSession", "WatchSessions", "ListModes"}
    for _, metadata in seen:
        assert re.fullmatch(f"00-{trace_id}-[0-9a-f]{{16}}-0[13]", metadata["traceparent"])
        assert "baggage" not in metadata


WITHOUT = """
import sys
sys.modules["opentelemetry"] = None
from handover_macp import AuthConfig, HandoffSession, MacpClient, _tracing
assert _tracing._tracer is None and _tracing.trace_headers() == ()
with MacpClient(sys.argv[1], auth=AuthConfig.for_dev_agent("alice")) as client:
    HandoffSession(client).start(intent="x", participants=["bob"], ttl_ms=60_000)
"""


def test_the_client_without_the_package(server):
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
    done = subprocess.run([sys.executable, "-c", WITHOUT, server.address], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
