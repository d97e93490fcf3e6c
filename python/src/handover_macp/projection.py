"""What a client knows of one handoff session.

P1. Applying an envelope twice changes nothing.
P2. Envelopes that carry a sequence come first, in that order; own messages whose place is not known yet follow. So a
    context that we sent before we saw the target's answer becomes late once the stream shows the true order.
"""

from __future__ import annotations

from ._fold import HandoffState
from .constants import CONTROL_TYPES, MODE_HANDOFF
from .errors import MacpSessionError
from .models import Envelope
from .records import CommitmentRecord, HandoffContextRecord, HandoffOfferRecord, SessionStartRecord


class HandoffProjection:
    """Offers, contexts and outcome of one session, kept up to date by `apply_envelope`."""

    mode = MODE_HANDOFF
    """The mode whose envelopes are understood."""

    def __init__(self, session_id: str = "") -> None:
        self._session_id = session_id
        self._state = HandoffState()
        # Controls are not counted: they stand behind an envelope, in the order in which they came.
        self._placed: dict[tuple[int, int], Envelope] = {}
        self._unplaced: list[Envelope] = []
        self._message_ids: set[str] = set()
        self._complete_to = 0

    def apply_envelope(self, envelope: Envelope, sequence: int | None = None) -> bool:
        """Takes an accepted envelope into account; `sequence` is its place in the history. False if nothing changed."""
        if self._session_id and envelope.session_id != self._session_id:
            raise MacpSessionError("envelope", f"belongs to session {envelope.session_id}, not {self._session_id}")
        self._session_id = envelope.session_id
        if sequence is not None:
            return self._place(envelope, sequence)
        if envelope.message_id in self._message_ids:
            return False
        self._message_ids.add(envelope.message_id)
        self._unplaced.append(envelope)
        self._state.apply(envelope)
        return True

    def _place(self, envelope: Envelope, sequence: int) -> bool:
        known = envelope.message_id in self._message_ids
        place = self._place_of(envelope, sequence)
        if place in self._placed or (known and place[1] > 0):
            return False
        is_newest = place > max(self._placed, default=(0, 0))
        in_order = is_newest and (not self._unplaced or self._unplaced[0].message_id == envelope.message_id)
        self._message_ids.add(envelope.message_id)
        self._unplaced = [item for item in self._unplaced if item.message_id != envelope.message_id]
        self._placed[place] = envelope
        while (self._complete_to + 1, 0) in self._placed:
            self._complete_to += 1
        if not in_order:
            self._refold()
        elif not known:
            self._state.apply(envelope)
        return not in_order or not known

    def _place_of(self, envelope: Envelope, sequence: int) -> tuple[int, int]:
        if envelope.message_type not in CONTROL_TYPES:
            return sequence, 0
        behind = 1
        while (sequence, behind) in self._placed:
            behind += 1
        return sequence, behind

    def _refold(self) -> None:
        self._state = HandoffState()
        for envelope in self.transcript:
            self._state.apply(envelope)

    @property
    def session_id(self) -> str:
        """The session this is about; empty until the first envelope when none was given."""
        return self._session_id

    @property
    def transcript(self) -> list[Envelope]:
        """Every envelope applied, once, in order."""
        return [*(self._placed[place] for place in sorted(self._placed)), *self._unplaced]

    @property
    def last_sequence(self) -> int:
        """The history is known without a gap up to here; 0 while only own messages are known."""
        return self._complete_to

    @property
    def session_start(self) -> SessionStartRecord | None:
        """What the session was bound to at its start; None when the start was not seen."""
        return self._state.start

    @property
    def frozen_context(self) -> bytes | None:
        """The bytes given as `context` at the start; None without them, or when the start was not seen."""
        return self._state.start.context if self._state.start else None

    @property
    def session_state(self) -> str:
        """OPEN, SUSPENDED, CANCELLED or RESOLVED, as far as the envelopes tell; expiry is not an envelope."""
        return self._state.session_state

    @property
    def offers(self) -> dict[str, HandoffOfferRecord]:
        """All offers by handoff id, in the order they were made."""
        return self._state.offers

    @property
    def handoffs(self) -> dict[str, HandoffOfferRecord]:
        """Another name of `offers`."""
        return self._state.offers

    @property
    def contexts(self) -> dict[str, list[HandoffContextRecord]]:
        """The contexts of each offer by handoff id, with their bytes, in order."""
        return self._state.contexts

    @property
    def commitment(self) -> CommitmentRecord | None:
        """The Commitment, once there is one."""
        return self._state.commitment

    def get_handoff(self, handoff_id: str) -> HandoffOfferRecord | None:
        """The offer with this id, or None."""
        return self.offers.get(handoff_id)

    def active_offer(self) -> HandoffOfferRecord | None:
        """The newest offer that waits for an answer, or None."""
        return next(iter(reversed(self.pending_handoffs())), None)

    def pending_handoffs(self) -> list[HandoffOfferRecord]:
        """The offers that wait for an answer."""
        return [offer for offer in self.offers.values() if offer.disposition == "offered"]

    def has_accepted_offer(self, handoff_id: str | None = None) -> bool:
        """True when this offer, or any when none is named, was accepted."""
        if handoff_id is not None:
            return self.is_accepted(handoff_id)
        return self.accepted_offer() is not None

    def accepted_offer(self) -> HandoffOfferRecord | None:
        """The offer that was accepted, or None."""
        return next((offer for offer in self.offers.values() if offer.disposition == "accepted"), None)

    def is_accepted(self, handoff_id: str) -> bool:
        """True when this offer was accepted."""
        return self._has_disposition(handoff_id, "accepted")

    def is_declined(self, handoff_id: str) -> bool:
        """True when this offer was declined."""
        return self._has_disposition(handoff_id, "declined")

    def is_implicitly_accepted(self, handoff_id: str) -> bool:
        """True when this offer was accepted by a policy's time-out."""
        return self.is_accepted(handoff_id) and self.offers[handoff_id].implicit

    def _has_disposition(self, handoff_id: str, disposition: str) -> bool:
        offer = self.offers.get(handoff_id)
        return offer is not None and offer.disposition == disposition

    @property
    def is_committed(self) -> bool:
        """True once the session has its Commitment."""
        return self.commitment is not None

    @property
    def is_positive_outcome(self) -> bool:
        """True when the Commitment says that the handoff took place."""
        return self.commitment is not None and self.commitment.outcome_positive

    @property
    def phase(self) -> str:
        """Pending, OfferPending, Accepted, Declined or Committed."""
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
        return "Declined" if self.offers else "Pending"
