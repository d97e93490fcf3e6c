"""The inbox: what waits for an agent now."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from .auth import AuthConfig
from .client import MacpClient
from .errors import MacpSdkError
from .handoff.open_offer import OpenOffer, agent_of, is_gone, may_have_offers, to_open_offer, waiting_for
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

    with ThreadPoolExecutor(READ_AT_ONCE) as pool:
        found = pool.map(read, _open_sessions(client, name, credential))
        return sorted((offer for offer in found if offer), key=lambda offer: offer.offered_at_unix_ms)


def _open_sessions(client: MacpClient, agent: str, auth: AuthConfig | None) -> list[SessionMetadata]:
    sessions: list[SessionMetadata] = []
    token = ""
    while True:
        page = client.list_sessions_page(page_token=token, auth=auth)
        sessions.extend(one for one in page.sessions if one.state == "OPEN" and may_have_offers(one, agent))
        token = page.next_page_token
        if not token:
            return sessions
