"""What a journal forgets when its worker starts."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from ...aio import AsyncMacpClient
from ...auth import AuthConfig
from ...errors import MacpTransportError
from ...handoff.open_offer import may_have_offers
from ...retry import may_pass
from .journal import WorkerJournal

log = logging.getLogger("handover_macp")

_AGAIN_SECONDS = 5.0


async def forget_what_ended(
    journal: WorkerJournal, client: AsyncMacpClient, agent: str, auth: AuthConfig | None, stopping: asyncio.Event
) -> None:
    """Drops the offers of sessions that ended while no worker ran. A server that is away is waited for."""
    live: set[str] = set()
    token = ""
    while not stopping.is_set():
        try:
            page = await client.list_sessions_page(page_token=token, auth=auth)
        except MacpTransportError as error:
            if not may_pass(error):
                raise
            log.warning("the sessions cannot be listed (%s), again in %.0f s", error, _AGAIN_SECONDS)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(stopping.wait(), _AGAIN_SECONDS)
            continue
        for session in page.sessions:
            if session.state in ("OPEN", "SUSPENDED") and may_have_offers(session, agent):
                live.add(session.session_id)
        token = page.next_page_token
        if not token:
            return journal.keep_only(live.__contains__)
