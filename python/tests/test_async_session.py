"""The asyncio versions against the real server: a whole handoff between two agents, and the watches."""

import asyncio

import pytest
from handover_macp import AuthConfig, MacpAckError, MacpTimeoutError, RetryPolicy, build_handoff_policy
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient
from server_process import ServerProcess


def connect(address, agent):
    return AsyncMacpClient(address, secure=False, auth=AuthConfig.for_dev_agent(agent))


async def target(address, session_id):
    async with connect(address, "owner-b") as client:
        session = AsyncHandoffSession(client, session_id)
        async with session.open_stream() as stream:
            async for _ in stream:
                if session.projection.contexts.get("h1") and not session.projection.is_accepted("h1"):
                    await session.accept_handoff("h1")
                if session.projection.is_committed:
                    return session.projection


async def test_a_whole_handoff(server):
    async with connect(server.address, "owner-a") as client:
        session = AsyncHandoffSession(client)
        await session.start(intent="x", participants=["owner-b"], ttl_ms=60_000, context=b"frozen")
        other = asyncio.create_task(target(server.address, session.session_id))
        async with session.open_stream() as stream:
            await session.offer("h1", "owner-b", scope="oncall")
            await session.add_context("h1", content_type="text/plain", context=b"notes")
            while not session.projection.is_accepted("h1"):
                await stream.read(timeout=10)
            ack = await session.commit()
        assert ack.session_state == "RESOLVED"
        seen = await asyncio.wait_for(other, 10)
        assert seen.session_start.context == b"frozen"
        assert seen.contexts["h1"][0].context == b"notes"
        assert seen.commitment.reason == "owner-b accepted oncall"
        assert (await session.metadata()).state == "RESOLVED"


async def test_many_handoffs_at_once(server):
    async with connect(server.address, "owner-a") as client:

        async def one():
            session = AsyncHandoffSession(client)
            await session.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
            await session.offer("h1", "owner-b", scope="s")
            await session.accept_handoff("h1", sender="owner-b")
            return (await session.commit()).session_state

        assert set(await asyncio.gather(*(one() for _ in range(50)))) == {"RESOLVED"}


async def test_sync(server):
    async with connect(server.address, "owner-a") as client:
        session = AsyncHandoffSession(client)
        await session.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
        await session.offer("h1", "owner-b")
        await AsyncHandoffSession(client, session.session_id).decline("h1", sender="owner-b")
        assert (await session.sync()).is_declined("h1")
        assert (await session.sync()).last_sequence == 3


async def test_refusals_and_control(server):
    async with connect(server.address, "owner-a") as client:
        session = AsyncHandoffSession(client)
        await session.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
        await session.offer("h1", "owner-b")
        with pytest.raises(MacpAckError) as raised:
            await session.decline("h1", sender="owner-a")
        assert raised.value.code == "FORBIDDEN"
        await session.decline("h1", sender="owner-b")
        await session.suspend()
        await session.resume()
        assert (await session.cancel()).session_state == "CANCELLED"


async def test_calls_and_watches(server):
    async with connect(server.address, "async-agent") as client:
        assert (await client.initialize()).selected_protocol_version == "1.0"
        assert [mode.mode for mode in await client.list_modes()]
        session = AsyncHandoffSession(client)
        async with client.watch_sessions() as sessions, client.watch_policies() as policies:
            assert (await policies.read(timeout=5)).descriptors
            await session.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
            assert (await sessions.read(timeout=5)).session.session_id == session.session_id
            assert (await client.register_policy(build_handoff_policy("policy.python.async", ""))).ok
            names = {item.policy_id for item in (await policies.read(timeout=5)).descriptors}
            assert "policy.python.async" in names
        assert [item.session_id for item in await client.list_sessions()] == [session.session_id]
        async with client.watch_signals() as signals:
            received = None
            for _ in range(25):
                await client.send_signal("load.high")
                try:
                    received = await signals.read(timeout=0.2)
                    break
                except MacpTimeoutError:
                    continue
            assert received is not None and received.sender == "async-agent"


async def test_cancelling_a_reader_does_not_break_the_stream(server):
    async with connect(server.address, "owner-a") as client:
        session = AsyncHandoffSession(client)
        await session.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
        async with session.open_stream() as stream:
            await stream.read(timeout=5)
            reader = asyncio.create_task(stream.read())
            await asyncio.sleep(0.05)
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            await session.offer("h1", "owner-b")
            assert (await stream.read(timeout=5)).message_type == "HandoffOffer"


async def test_the_stream_survives_a_restart(tmp_path):
    server = ServerProcess("--dev", "--data-dir", str(tmp_path / "data"))
    try:
        async with connect(server.address, "owner-a") as client:
            session = AsyncHandoffSession(client, retry=RetryPolicy(max_retries=8))
            await session.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
            async with session.open_stream() as stream:
                await stream.read(timeout=5)
                await asyncio.to_thread(server.restart)
                await session.offer("h1", "owner-b")
                assert (await stream.read(timeout=20)).message_type == "HandoffOffer"
                assert stream.last_sequence == 2
    finally:
        server.stop()
