"""Connections that cannot be made say what is wrong with them; streams never wait for one another; leaving is silent."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import time

import pytest
from certificates import self_signed
from handover_macp import AuthConfig, MacpClient, MacpClosedError, MacpConnectionError, MacpTimeoutError, MacpTransportError
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient
from server_process import ROOT, ServerProcess


@pytest.fixture(scope="module")
def tls_server(tmp_path_factory):
    certificate, key = self_signed(tmp_path_factory.mktemp("tls"))
    env = {
        "MACP_TLS_CERT_PATH": str(certificate),
        "MACP_TLS_KEY_PATH": str(key),
        "MACP_AUTH_TOKENS_JSON": '[{"token": "a-token", "sender": "a"}]',
    }
    process = ServerProcess("--memory-only", env=env)
    process.certificate = certificate.read_bytes()
    yield process
    process.stop()


def failure(address, **options):
    with MacpClient(address, default_timeout=5, **options) as client, pytest.raises(MacpTransportError) as raised:
        client.list_modes()
    return raised.value


async def async_failure(address, **options):
    async with AsyncMacpClient(address, default_timeout=5, **options) as client:
        with pytest.raises(MacpTransportError) as raised:
            await client.list_modes()
    return raised.value


def both(address, **options):
    one, other = failure(address, **options), asyncio.run(async_failure(address, **options))
    assert (type(one), str(one)) == (type(other), str(other))
    return one


def test_tls_against_plaintext(server):
    error = both(server.address, secure=True)
    assert type(error) is MacpConnectionError and "does not speak TLS: say secure=False" in str(error)


def test_plaintext_against_tls(tls_server):
    assert "if it speaks TLS, say secure=True" in str(both(tls_server.address))


def test_the_http_port(server):
    found = re.search(r"http=\S*?([0-9.]+:\d+)", server.ready_line)
    error = both(found[1])
    assert type(error) is MacpConnectionError and "probably the HTTP port" in str(error)


def test_certificates(tls_server):
    port = tls_server.address.split(":")[1]
    error = both(f"localhost:{port}", secure=True)
    assert type(error) is MacpConnectionError and "give its authority as root_certificates" in str(error)
    error = both(f"127.0.0.1:{port}", root_certificates=tls_server.certificate)
    assert type(error) is MacpConnectionError and "certificate for another name" in str(error)
    with MacpClient(f"localhost:{port}", root_certificates=tls_server.certificate) as client:
        assert client.list_modes()


def test_nobody_there():
    assert "nothing listens at 127.0.0.1:1: is the runtime running" in str(both("127.0.0.1:1"))
    assert "cannot be resolved" in str(both("no.such.host.invalid:5", secure=False, allow_insecure=True))


def test_somebody_who_says_nothing():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with MacpClient(address) as client, pytest.raises(MacpTimeoutError, match=f"no answer from {address} in time: is it the gRPC port of the runtime"):
            client.list_modes(timeout=0.5)


def test_a_mistake_ends_a_watch(server):
    with MacpClient(server.address, secure=True) as client, client.watch_sessions() as watch:
        with pytest.raises(MacpConnectionError):
            watch.read(timeout=10)


A = AuthConfig.for_dev_agent("a")
MANY = 120


@pytest.fixture(scope="module")
def narrow_server():
    """One that allows few streams for each connection."""
    limits = {"MACP_MAX_CONCURRENT_STREAMS": "64", "HANDOVER_LISTENERS_PER_PRINCIPAL": "1000"}
    process = ServerProcess("--dev", "--memory-only", env=limits)
    yield process
    process.stop()


def test_many_watches_and_calls_beside_them(narrow_server):
    with MacpClient(narrow_server.address, auth=A, default_timeout=20) as client:
        watches = [client.watch_mode_registry() for _ in range(MANY)]
        for watch in watches:
            assert watch.read(timeout=20) is not None
        assert client.list_modes()
        assert len(client._transport._streams.channels) == 3
        for watch in watches:
            watch.close()
        # What has ended leaves its place to others.
        again = [client.watch_mode_registry() for _ in range(MANY)]
        for watch in again:
            assert watch.read(timeout=20) is not None
            watch.close()
        assert len(client._transport._streams.channels) <= 4


async def test_many_watches_in_asyncio(narrow_server):
    async with AsyncMacpClient(narrow_server.address, auth=A, default_timeout=20) as client:
        watches = [client.watch_mode_registry() for _ in range(MANY)]
        for watch in watches:
            assert await watch.read(timeout=20) is not None
        assert await client.list_modes()
        assert len(client._transport._streams.channels) == 3
        await asyncio.gather(*(watch.close() for watch in watches))


LEAVE = """
import sys
import time
from handover_macp import AuthConfig, HandoffSession, MacpClient
client = MacpClient(sys.argv[1], auth=AuthConfig.for_dev_agent("a"))
session = HandoffSession(client)
session.start(intent="x", participants=["b"], ttl_ms=60_000)
with client.watch_sessions() as watch:
    watch.read(timeout=10)
with session.open_stream() as stream:
    stream.read(timeout=10)
left = client.watch_policies()
left.read(timeout=10)
client.close()
"""
LEAVE_ASYNC = """
import asyncio, sys
from handover_macp import AuthConfig
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient
async def main():
    async with AsyncMacpClient(sys.argv[1], auth=AuthConfig.for_dev_agent("a")) as client:
        session = AsyncHandoffSession(client)
        await session.start(intent="x", participants=["b"], ttl_ms=60_000)
        async with client.watch_sessions() as watch:
            await watch.read(timeout=10)
        async with session.open_stream() as stream:
            await stream.read(timeout=10)
        left = client.watch_policies()
        await left.read(timeout=10)
    # Time in which a watch that was left open would try again.
    await asyncio.sleep(0.5)
asyncio.run(main(), debug=True)
"""


@pytest.mark.parametrize("program", [LEAVE, LEAVE_ASYNC], ids=["sync", "asyncio"])
def test_leaving_a_watch_says_nothing(server, program):
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src"), "PYTHONWARNINGS": "always"}
    process = subprocess.run([sys.executable, "-c", program, server.address], env=env, capture_output=True, text=True, timeout=60)
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")


async def test_closing_the_asyncio_client_ends_its_watches(server):
    client = AsyncMacpClient(server.address, auth=A)
    watch = client.watch_policies()
    await watch.read(timeout=10)
    waiting = asyncio.create_task(watch.read(timeout=10))
    await asyncio.sleep(0.1)
    await client.close()
    with pytest.raises(MacpClosedError, match="the client is closed"):
        await waiting
    await watch.close()


@pytest.fixture(scope="module")
def wide_server():
    """One that allows few streams for each connection, and many connections."""
    limits = {"MACP_MAX_CONCURRENT_STREAMS": "64", "HANDOVER_LISTENERS_PER_PRINCIPAL": "4000"}
    process = ServerProcess("--dev", "--memory-only", env=limits)
    yield process
    process.stop()


async def test_two_thousand_streams_of_one_process_and_calls_go_on(wide_server):
    async with AsyncMacpClient(wide_server.address, auth=A, default_timeout=30) as client:
        session = AsyncHandoffSession(client)
        await session.start(intent="x", participants=["b"], ttl_ms=600_000)
        began = time.monotonic()
        streams = [session.open_stream() for _ in range(2_000)]
        first = await asyncio.gather(*(stream.read(timeout=60) for stream in streams))
        assert {envelope.message_type for envelope in first} == {"SessionStart"}
        called = time.monotonic()
        await session.offer("h1", "b", timeout=20)
        assert time.monotonic() - called < 10
        second = await asyncio.gather(*(stream.read(timeout=60) for stream in streams))
        assert {envelope.message_type for envelope in second} == {"HandoffOffer"}
        assert len(client._transport._streams.channels) == 40
        await asyncio.gather(*(stream.close() for stream in streams))
        assert (await session.metadata()).state == "OPEN"
        assert time.monotonic() - began < 90
