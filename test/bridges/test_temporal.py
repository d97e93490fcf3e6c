"""The Temporal activity, in the environment that Temporal has for running one alone. Its test server is not part of this."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import async_agent, block, soon
from handover_macp import AuthConfig
from handover_macp.aio import AsyncMacpClient
from temporal_bridge import Handing, HandoffActivities, session_id_of
from temporalio import workflow
from temporalio.activity import ActivityCancellationDetails
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

OFFERED = ["SessionStart", "HandoffOffer", "HandoffContext"]
HANDING = Handing("dba", {"table": "users"}, scope="import")


def attempt(number, run="run-1"):
    """An attempt on a worker of its own, and what Temporal hears of it."""
    environment = ActivityEnvironment()
    names = {"workflow_id": "stuck-import", "workflow_run_id": run, "activity_id": "1"}
    beat = timedelta(seconds=0.3)
    environment.info = replace(environment.info, **names, attempt=number, heartbeat_timeout=beat)
    beats = []
    environment.on_heartbeat = beats.append
    return environment, beats


async def until_offered(target, session_id):
    await asyncio.to_thread(target.offered, session_id)


async def until_beaten(beats):
    while len(beats) < 3:
        await asyncio.sleep(0.05)


async def test_attempts_speak_in_one_session(target):
    first, beats = attempt(1)
    session_id = session_id_of(first.info)
    async with async_agent("worker") as client:
        running = asyncio.ensure_future(first.run(HandoffActivities(client).hand_over, HANDING))
        await until_offered(target, session_id)
        await soon(until_beaten(beats))
        assert set(beats) == {session_id}
        first.cancel(ActivityCancellationDetails(worker_shutdown=True))
        with pytest.raises(asyncio.CancelledError):
            await soon(running)
        heard = len(beats)
    assert target.said(session_id) == OFFERED
    assert target.session(session_id).metadata().state == "OPEN"

    second, _ = attempt(2)
    async with async_agent("worker") as client:
        running = asyncio.ensure_future(second.run(HandoffActivities(client).hand_over, HANDING))
        await asyncio.to_thread(target.answer, session_id)
        [answer] = await soon(running)
    assert (answer.session_id, answer.disposition, answer.reason) == (session_id, "accepted", "on it")
    said = [*OFFERED, "HandoffAccept", "Commitment"]
    assert target.said(session_id) == said
    assert len(beats) == heard, "a heartbeat after the end"

    # The result was lost on its way to Temporal.
    third, _ = attempt(3)
    async with async_agent("worker") as client:
        assert await soon(third.run(HandoffActivities(client).hand_over, HANDING)) == [answer]
    assert target.said(session_id) == said


async def test_a_decline_is_a_result(target):
    environment, _ = attempt(1, "run-2")
    async with async_agent("worker") as client:
        running = asyncio.ensure_future(environment.run(HandoffActivities(client).hand_over, HANDING))
        session = await asyncio.to_thread(target.offered, session_id_of(environment.info))
        await asyncio.to_thread(session.decline, "to:dba", reason="on holiday")
        [answer] = await soon(running)
    assert (answer.disposition, answer.reason) == ("declined", "on holiday")


async def test_a_cancelled_workflow_cancels_the_session(target):
    environment, _ = attempt(1, "run-3")
    session_id = session_id_of(environment.info)
    async with async_agent("worker") as client:
        activities = HandoffActivities(client)
        running = asyncio.ensure_future(environment.run(activities.hand_over, HANDING))
        await until_offered(target, session_id)
        environment.cancel(ActivityCancellationDetails(cancel_requested=True))
        with pytest.raises(asyncio.CancelledError):
            await soon(running)
        assert target.session(session_id).metadata().state == "CANCELLED"

        # That session is over for every later attempt.
        with pytest.raises(ApplicationError, match="CANCELLED|SESSION_NOT_OPEN") as refused:
            await soon(attempt(2, "run-3")[0].run(activities.hand_over, HANDING))
        assert refused.value.non_retryable


async def test_what_may_pass_is_tried_again_and_what_cannot_is_not():
    environment, _ = attempt(1, "run-4")
    away = AsyncMacpClient("127.0.0.1:1", auth=AuthConfig.for_dev_agent("worker"), default_timeout=0.5)
    async with away, async_agent("worker") as client:
        with pytest.raises(ApplicationError) as failed:
            await soon(environment.run(HandoffActivities(away).hand_over, HANDING))
        assert not failed.value.non_retryable
        with pytest.raises(ApplicationError, match="target") as refused:
            await soon(environment.run(HandoffActivities(client).hand_over, Handing(" ")))
        assert refused.value.non_retryable


def test_the_readmes_workflow_names_the_activity():
    defined = block("Temporal")
    definition = workflow._Definition.must_from_class(defined["StuckImport"])
    assert definition.name == "StuckImport"
    assert defined["HandoffActivities"] is HandoffActivities
