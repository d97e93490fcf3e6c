"""The inbox in asyncio: what waits for an agent now."""

from __future__ import annotations

import asyncio

from ..auth import AuthConfig
from ..errors import MacpSdkError
from ..handoff.open_offer import OpenOffer, agent_of, is_gone, may_have_open_offers, to_open_offer, waiting_for
from ..inbox import READ_AT_ONCE
from .client import AsyncMacpClient
from .handoff import AsyncHandoffSession


async def open_offers(
    client: AsyncMacpClient, agent: str | None = None, *, auth: AuthConfig | None = None
) -> list[OpenOffer]:
    """The offers that wait for an agent's answer now, oldest first; by default for the owner of the credential.

    Sessions that have ended are not read.
    """
    name = agent_of(agent, client.sender_hint(auth))
    credential, _ = client._core.identity(name, auth)
    listing = client._core.list_sessions(0, credential, None, lambda one: may_have_open_offers(one, name))
    sessions = iter(await client._run(listing))
    found: list[OpenOffer] = []

    async def read() -> None:
        for session in sessions:
            try:
                projection = await AsyncHandoffSession(client, session.session_id, auth=credential).sync()
            except MacpSdkError as error:
                if is_gone(error):  # Since it was listed.
                    continue
                raise
            offer = waiting_for(name, projection)
            if offer is not None:
                found.append(to_open_offer(session, projection, offer))

    readers = [asyncio.ensure_future(read()) for _ in range(READ_AT_ONCE)]
    try:
        await asyncio.gather(*readers)
    finally:
        # The first error, or a caller who leaves, ends them all.
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
    return sorted(found, key=lambda offer: offer.offered_at_unix_ms)
