"""The asyncio twins of client, sessions and stream."""

from __future__ import annotations

import asyncio

import pytest
from macp_sdk import (
    AsyncDecisionSession,
    AsyncHandoffSession,
    AsyncMacpClient,
    AsyncProposalSession,
    AsyncQuorumSession,
    AsyncTaskSession,
    MacpAckError,
    trusted_keys_from_jwks,
    verify_receipt,
)

from conftest import auth, connection
from support import ALICE, OPEN, RESOLVED, SUSPENDED


async def decide(session: AsyncDecisionSession) -> str:
    await session.propose("p1", "canary")
    await session.evaluate("p1", "approve", confidence=1.0, **ALICE)
    await session.raise_objection("p1", reason="small doubt", severity="low", **ALICE)
    await session.vote("p1", "approve", **ALICE)
    return "decision.selected"


async def agree(session: AsyncProposalSession) -> str:
    await session.propose("p1", "80")
    await session.counter_propose("p2", "p1", "70", **ALICE)
    await session.withdraw("p2", **ALICE)
    await session.accept("p1", **ALICE)
    await session.accept("p1")
    return "proposal.accepted"


async def work(session: AsyncTaskSession) -> str:
    await session.request_task("t1", "report")
    await session.accept_task("t1", **ALICE)
    await session.update_task("t1", progress=0.5, **ALICE)
    await session.fail_task("t1", reason="no data", **ALICE)
    return "task.failed"


async def hand_over(session: AsyncHandoffSession) -> str:
    await session.offer("h1", "alice")
    await session.add_context("h1", context=b"x")
    await session.decline("h1", **ALICE)
    return "handoff.declined"


async def approve(session: AsyncQuorumSession) -> str:
    await session.request_approval("r1", "deploy", required_approvals=1)
    await session.reject("r1", **ALICE)
    await session.approve("r1")
    return "quorum.approved"


WAYS = {
    AsyncDecisionSession: decide,
    AsyncProposalSession: agree,
    AsyncTaskSession: work,
    AsyncHandoffSession: hand_over,
    AsyncQuorumSession: approve,
}


@pytest.mark.parametrize("kind", WAYS)
def test_a_whole_session(kind: type) -> None:
    async def run() -> None:
        async with AsyncMacpClient(**connection(), auth=auth("coordinator")) as client:
            session = kind(client)
            await session.start(intent="x", participants=["coordinator", "alice"], ttl_ms=60_000)
            assert (await session.suspend()).session_state == SUSPENDED
            assert (await session.resume()).session_state == OPEN
            action = await WAYS[kind](session)
            with pytest.raises(MacpAckError) as caught:
                await session.commit(action=action, authority_scope="all", reason="x", **ALICE)
            assert caught.value.failure.code == "FORBIDDEN"
            await session.commit(action=action, authority_scope="all", reason="x")
            assert (await session.metadata()).metadata.state == RESOLVED

            other = kind(client, session_id=session.session_id)
            async with client.open_stream() as stream:
                await stream.send_subscribe(session.session_id)
                async for envelope in stream.responses(timeout=30):
                    other.projection.apply_envelope(envelope)
                    if envelope.message_type == "Commitment":
                        break
            assert other.projection.transcript == session.projection.transcript
            found = await client.get_decision_receipt(session.session_id)
            trusted = trusted_keys_from_jwks(await client.get_receipt_keys())
            assert verify_receipt(found.receipt, trusted)["verdict"] == "attested"

    asyncio.run(run())
