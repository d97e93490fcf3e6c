"""What a client knows of a handoff session. Context is late when the offer was answered before it."""

from __future__ import annotations

import dataclasses

from .._wire import Message
from ..constants import MODE_HANDOFF
from ..models import Envelope
from ..session.projection import SessionProjection
from .records import HandoffContextRecord, HandoffOfferRecord

# Only the server may use these message ids, so they prove that a time-out answered, not the target.
_IMPLICIT_PREFIXES = ("implicit-accept:", "implicit-decline:")


class HandoffProjection(SessionProjection):
    """Offers, contexts and outcome of one session, kept up to date by `apply_envelope`."""

    mode = MODE_HANDOFF

    def _reset(self) -> None:
        self._offers: dict[str, HandoffOfferRecord] = {}
        self._contexts: dict[str, list[HandoffContextRecord]] = {}

    def _offer(self, envelope: Envelope, payload: Message) -> None:
        if payload.handoff_id in self._offers:
            return
        self._offers[payload.handoff_id] = HandoffOfferRecord(
            handoff_id=payload.handoff_id,
            target_participant=payload.target_participant,
            scope=payload.scope,
            reason=payload.reason,
            offered_by=envelope.sender,
        )

    def _context(self, envelope: Envelope, payload: Message) -> None:
        offer = self._offers.get(payload.handoff_id)
        if offer is None:
            return
        late = offer.disposition != "offered"
        self._offers[offer.handoff_id] = dataclasses.replace(
            offer, context_content_type=payload.content_type, has_context=offer.has_context or not late
        )
        record = HandoffContextRecord(
            handoff_id=offer.handoff_id,
            content_type=payload.content_type,
            context=payload.context,
            sender=envelope.sender,
            late=late,
            message_id=envelope.message_id,
        )
        self._contexts.setdefault(offer.handoff_id, []).append(record)

    def _accept(self, envelope: Envelope, payload: Message) -> None:
        offer = self._open_offer(envelope, payload)
        if offer is None:
            return
        self._offers[offer.handoff_id] = dataclasses.replace(
            offer,
            disposition="accepted",
            accepted_by=payload.accepted_by or envelope.sender or offer.target_participant,
            outcome_reason=payload.reason,
            implicit=payload.implicit or envelope.message_id.startswith(_IMPLICIT_PREFIXES),
        )

    def _decline(self, envelope: Envelope, payload: Message) -> None:
        offer = self._open_offer(envelope, payload)
        if offer is None:
            return
        self._offers[offer.handoff_id] = dataclasses.replace(
            offer,
            disposition="declined",
            declined_by=payload.declined_by or envelope.sender or offer.target_participant,
            outcome_reason=payload.reason,
            implicit=envelope.message_id.startswith(_IMPLICIT_PREFIXES),
        )

    def _open_offer(self, envelope: Envelope, payload: Message) -> HandoffOfferRecord | None:
        """The offer that an answer is about; an answer to a settled one is noted and left out."""
        offer = self._offers.get(payload.handoff_id)
        if offer is None or offer.disposition == "offered":
            return offer
        detail = f"{offer.handoff_id} was {offer.disposition} before; this answer is left out"
        self._note("settled_handoff", envelope, offer.handoff_id, detail)
        return None

    _folds = {
        "HandoffOffer": _offer,
        "HandoffContext": _context,
        "HandoffAccept": _accept,
        "HandoffDecline": _decline,
    }

    @property
    def offers(self) -> dict[str, HandoffOfferRecord]:
        """All offers by handoff id, in the order they were made."""
        return self._offers

    @property
    def handoffs(self) -> dict[str, HandoffOfferRecord]:
        """Another name of `offers`."""
        return self._offers

    @property
    def contexts(self) -> dict[str, list[HandoffContextRecord]]:
        """The contexts of each offer by handoff id, with their bytes, in order."""
        return self._contexts

    def get_handoff(self, handoff_id: str) -> HandoffOfferRecord | None:
        """The offer with this id, or None."""
        return self._offers.get(handoff_id)

    def active_offer(self) -> HandoffOfferRecord | None:
        """The newest offer that waits for an answer, or None."""
        return next(iter(reversed(self.pending_handoffs())), None)

    def pending_handoffs(self) -> list[HandoffOfferRecord]:
        """The offers that wait for an answer."""
        return self._with_disposition("offered")

    def accepted_offer(self) -> HandoffOfferRecord | None:
        """The offer that was accepted, or None."""
        return next(iter(self._with_disposition("accepted")), None)

    def has_accepted_offer(self, handoff_id: str | None = None) -> bool:
        """True when this offer, or any when none is named, was accepted."""
        if handoff_id is not None:
            return self.is_accepted(handoff_id)
        return self.accepted_offer() is not None

    def is_accepted(self, handoff_id: str) -> bool:
        """True when this offer was accepted."""
        return self._has_disposition(handoff_id, "accepted")

    def is_declined(self, handoff_id: str) -> bool:
        """True when this offer was declined."""
        return self._has_disposition(handoff_id, "declined")

    def is_implicitly_accepted(self, handoff_id: str) -> bool:
        """True when this offer was accepted by a policy's time-out."""
        return self.is_accepted(handoff_id) and self._offers[handoff_id].implicit

    def declined_targets(self) -> list[str]:
        """Who declined an offer of this session, in order; none of them can be asked again."""
        return list(dict.fromkeys(offer.target_participant for offer in self._with_disposition("declined")))

    def can_offer_to(self, participant: str) -> bool:
        """Whether an offer to this participant can be accepted by the server now."""
        if participant not in self.participants or participant == self.initiator or self.session_state != "OPEN":
            return False
        if self.active_offer() is not None or self.has_accepted_offer():
            return False
        return participant not in self.declined_targets()

    def _with_disposition(self, disposition: str) -> list[HandoffOfferRecord]:
        return [offer for offer in self._offers.values() if offer.disposition == disposition]

    def _has_disposition(self, handoff_id: str, disposition: str) -> bool:
        offer = self._offers.get(handoff_id)
        return offer is not None and offer.disposition == disposition

    def _open_phase(self) -> str:
        detailed = self.detailed_phase
        return "OfferPending" if detailed == "ContextSharing" else detailed

    @property
    def detailed_phase(self) -> str:
        """The phase, with ContextSharing for an open offer that has context."""
        if self.is_committed:
            return "Committed"
        if self.has_accepted_offer():
            return "Accepted"
        active = self.active_offer()
        if active is not None:
            return "ContextSharing" if active.has_context else "OfferPending"
        return "Declined" if self._offers else "Pending"
