"""An offer that waits for an agent, as a program decides on it."""

from __future__ import annotations

from dataclasses import dataclass

from ..constants import MODE_HANDOFF
from ..envelopes import parse_payload
from ..errors import MacpSdkError, MacpSessionError, MacpTransportError
from ..models import SessionMetadata
from ..validation import validate_id
from .projection import HandoffProjection
from .records import HandoffContextRecord, HandoffOfferRecord

_GONE = frozenset({"NOT_FOUND", "PERMISSION_DENIED", "FAILED_PRECONDITION", "OUT_OF_RANGE"})


@dataclass(frozen=True)
class OpenOffer:
    """An offer that waits for an answer of this agent."""

    session_id: str
    """The session of the offer."""
    handoff_id: str
    """The offer within it."""
    owner: str
    """Who made the offer."""
    scope: str
    """What is to be handed over."""
    reason: str
    """Why, in the words of the owner."""
    contexts: tuple[HandoffContextRecord, ...]
    """The contexts that have come so far."""
    offered_at_unix_ms: int
    """By the clock of the owner."""
    expires_at_unix_ms: int
    """When the session expires."""


def agent_of(named: str | None, hint: str) -> str:
    """The agent whose offers are meant: the named one, or the owner of the credential."""
    if named is None and not hint:
        raise MacpSessionError("agent", "is missing, and the credential does not say whose it is")
    return validate_id("agent", hint if named is None else named)


def may_have_offers(session: SessionMetadata, agent: str) -> bool:
    """Whether an offer to the agent can be in the session. Its initiator makes the offers and gets none."""
    return session.mode == MODE_HANDOFF and session.initiator != agent and agent in session.participants


def waiting_for(agent: str, projection: HandoffProjection) -> HandoffOfferRecord | None:
    """The offer that the agent may answer now. The protocol has one open offer at a time."""
    if projection.session_state in ("RESOLVED", "CANCELLED"):
        return None
    offer = projection.active_offer()
    return offer if offer is not None and offer.target_participant == agent else None


def to_open_offer(session: SessionMetadata, projection: HandoffProjection, offer: HandoffOfferRecord) -> OpenOffer:
    """What a program is told of an offer."""
    return OpenOffer(
        session.session_id,
        offer.handoff_id,
        offer.offered_by,
        offer.scope,
        offer.reason,
        tuple(projection.contexts.get(offer.handoff_id, ())),
        offered_at(projection, offer.handoff_id),
        session.expires_at_unix_ms,
    )


def offered_at(projection: HandoffProjection, handoff_id: str) -> int:
    """When the owner says to have made an offer; 0 when that is not known."""
    for envelope in projection.transcript:
        if envelope.message_type == "HandoffOffer":
            try:
                payload = parse_payload(envelope)
            except MacpSdkError:
                continue
            if payload is not None and payload.handoff_id == handoff_id:
                return envelope.timestamp_unix_ms
    return 0


def is_gone(error: MacpSdkError) -> bool:
    """Whether a session cannot be read any more, by this caller."""
    return isinstance(error, MacpTransportError) and error.code in _GONE
