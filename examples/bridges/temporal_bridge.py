"""A Temporal activity that hands over to an agent elsewhere and returns the answer.

Temporal may run an activity again: a worker dies, a heartbeat is missed, a result is lost on its way. Each attempt
speaks in the same session, whose id follows from the activity: what was said before counts once.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from typing import Any

from handover_macp import MacpClosedError, MacpSdkError, MacpTransportError
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient
from temporalio import activity
from temporalio.exceptions import ApplicationError

PASSING = (MacpTransportError, MacpClosedError)

@dataclass
class Handing:
    """`context` is anything that JSON can say, `life_seconds` how long the offer stands."""

    target: str
    context: Any = None
    scope: str = ""
    life_seconds: int = 24 * 3600


@dataclass
class Answer:
    """`disposition` is accepted or declined."""

    session_id: str
    disposition: str
    reason: str


class HandoffActivities:
    """Register `HandoffActivities(client).hand_over` with a worker. Give the activity a `heartbeat_timeout`."""

    def __init__(self, client: AsyncMacpClient) -> None:
        self._client = client

    @activity.defn
    async def hand_over(self, handing: Handing) -> Answer:
        """Waits as long as the offer stands. A decline is an answer, no failure: the workflow says what follows."""
        session = AsyncHandoffSession(self._client, session_id_of(activity.info()))
        beating = asyncio.create_task(beat(session.session_id))
        ttl = handing.life_seconds * 1000
        try:
            offer = await session.hand_over(handing.target, handing.context, scope=handing.scope, ttl_ms=ttl)
        except asyncio.CancelledError:
            details = activity.cancellation_details()
            # A worker that shuts down cancels as well; then the next attempt goes on with the same offer.
            if details and details.cancel_requested:
                await session.cancel("the workflow waits no longer")
            raise
        except MacpSdkError as error:
            # What failed on the way may work at the next attempt. A refusal stays one, and an end stays the end.
            raise ApplicationError(str(error), non_retryable=not isinstance(error, PASSING)) from error
        finally:
            beating.cancel()
        return Answer(session.session_id, offer.disposition, offer.outcome_reason)


async def beat(session_id: str) -> None:
    """Tells Temporal that the worker lives; a cancellation comes back the same way."""
    while True:
        activity.heartbeat(session_id)
        limit = activity.info().heartbeat_timeout
        await asyncio.sleep(limit.total_seconds() / 3 if limit else 10)


def session_id_of(info: activity.Info) -> str:
    """The same for each attempt of an activity."""
    names = (info.namespace, info.workflow_id, info.workflow_run_id, info.activity_id, info.activity_run_id)
    return hashlib.sha256("\n".join(name or "" for name in names).encode()).hexdigest()
