"""The inbox: what waits for an agent now."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from .auth import AuthConfig
from .client import MacpClient
from .errors import MacpSdkError
from .handoff.open_offer import OpenOffer, agent_of, is_gone, may_have_open_offers, to_open_offer, waiting_for
from .handoff.session import HandoffSession
from .models import SessionMetadata

__all__ = ["OpenOffer", "open_offers"]

READ_AT_ONCE = 16
"""How many histories are read at the same time."""


def open_offers(client: MacpClient, agent: str | None = None, *, auth: AuthConfig | None = None) -> list[OpenOffer]:
    """The offers that wait for an agent's answer now, oldest first; by default for the owner of the credential.

    Sessions that have ended are not read.
    """
    name = agent_of(agent, client.sender_hint(auth))
    credential, _ = client._core.identity(name, auth)

    def read(session: SessionMetadata) -> OpenOffer | None:
        try:
            projection = HandoffSession(client, session.session_id, auth=credential).sync()
        except MacpSdkError as error:
            if is_gone(error):  # Since it was listed.
                return None
            raise
        offer = waiting_for(name, projection)
        return None if offer is None else to_open_offer(session, projection, offer)

    listing = client._core.list_sessions(0, credential, None, lambda one: may_have_open_offers(one, name))
    with ThreadPoolExecutor(READ_AT_ONCE) as pool:
        found = pool.map(read, client._run(listing))
        return sorted((offer for offer in found if offer), key=lambda offer: offer.offered_at_unix_ms)
