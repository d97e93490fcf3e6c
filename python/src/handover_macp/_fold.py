"""The fold of Handoff Mode: accepted envelopes in, state out. Same rules as the server's own fold.

F1. An envelope that cannot follow from the state (a second answer, context for an unknown offer) changes nothing.
F2. Context is late when the offer was answered before it, in the order of the history.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ._wire import Message
from .constants import CONTEXT_EXTENSION, MODE_HANDOFF
from .envelopes import parse_payload
from .errors import MacpSdkError
from .models import CommitmentRef, Envelope
from .records import CommitmentRecord, HandoffContextRecord, HandoffOfferRecord, SessionStartRecord

_CONTROL_STATES = {"SessionCancel": "CANCELLED", "SessionSuspend": "SUSPENDED", "SessionResume": "OPEN"}
# Only the server may use these message ids, so they prove that a time-out answered, not the target.
_IMPLICIT_PREFIXES = ("implicit-accept:", "implicit-decline:")


class HandoffState:
    """What is known of a session after some envelopes."""

    def __init__(self) -> None:
        self.start: SessionStartRecord | None = None
        self.offers: dict[str, HandoffOfferRecord] = {}
        self.contexts: dict[str, list[HandoffContextRecord]] = {}
        self.commitment: CommitmentRecord | None = None
        self.session_state = "OPEN"

    def apply(self, envelope: Envelope) -> None:
        """Takes one accepted envelope into account; what it cannot read changes nothing."""
        if envelope.mode != MODE_HANDOFF:
            return
        if envelope.message_type in _CONTROL_STATES:
            self.session_state = _CONTROL_STATES[envelope.message_type]
            return
        fold = _FOLDS.get(envelope.message_type)
        if fold is None:
            return
        try:
            payload = parse_payload(envelope)
        except MacpSdkError:
            return
        fold(self, envelope, payload)

    def _start(self, envelope: Envelope, payload: Message) -> None:
        if self.start is not None:
            return
        context = payload.extensions[CONTEXT_EXTENSION] if CONTEXT_EXTENSION in payload.extensions else None
        self.start = SessionStartRecord(
            initiator=envelope.sender,
            intent=payload.intent,
            participants=tuple(payload.participants),
            mode_version=payload.mode_version,
            configuration_version=payload.configuration_version,
            policy_version=payload.policy_version,
            ttl_ms=payload.ttl_ms,
            context_id=payload.context_id,
            context=context,
        )

    def _offer(self, envelope: Envelope, payload: Message) -> None:
        if payload.handoff_id in self.offers:
            return
        self.offers[payload.handoff_id] = HandoffOfferRecord(
            handoff_id=payload.handoff_id,
            target_participant=payload.target_participant,
            scope=payload.scope,
            reason=payload.reason,
            offered_by=envelope.sender,
        )

    def _context(self, envelope: Envelope, payload: Message) -> None:
        offer = self.offers.get(payload.handoff_id)
        if offer is None:
            return
        late = offer.disposition != "offered"
        self.offers[offer.handoff_id] = dataclasses.replace(
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
        self.contexts.setdefault(offer.handoff_id, []).append(record)

    def _accept(self, envelope: Envelope, payload: Message) -> None:
        offer = self.offers.get(payload.handoff_id)
        if offer is None or offer.disposition != "offered":
            return
        self.offers[offer.handoff_id] = dataclasses.replace(
            offer,
            disposition="accepted",
            accepted_by=payload.accepted_by or envelope.sender or offer.target_participant,
            outcome_reason=payload.reason,
            implicit=payload.implicit or envelope.message_id.startswith(_IMPLICIT_PREFIXES),
        )

    def _decline(self, envelope: Envelope, payload: Message) -> None:
        offer = self.offers.get(payload.handoff_id)
        if offer is None or offer.disposition != "offered":
            return
        self.offers[offer.handoff_id] = dataclasses.replace(
            offer,
            disposition="declined",
            declined_by=payload.declined_by or envelope.sender or offer.target_participant,
            outcome_reason=payload.reason,
            implicit=envelope.message_id.startswith(_IMPLICIT_PREFIXES),
        )

    def _commit(self, envelope: Envelope, payload: Message) -> None:
        if self.commitment is not None:
            return
        ref = payload.supersedes if payload.HasField("supersedes") else None
        self.session_state = "RESOLVED"
        self.commitment = CommitmentRecord(
            commitment_id=payload.commitment_id,
            action=payload.action,
            authority_scope=payload.authority_scope,
            reason=payload.reason,
            outcome_positive=payload.outcome_positive,
            mode_version=payload.mode_version,
            policy_version=payload.policy_version,
            configuration_version=payload.configuration_version,
            supersedes=CommitmentRef(ref.session_id, ref.commitment_hash) if ref is not None else None,
            sender=envelope.sender,
        )


_FOLDS: dict[str, Callable[[HandoffState, Envelope, Message], None]] = {
    "SessionStart": HandoffState._start,
    "HandoffOffer": HandoffState._offer,
    "HandoffContext": HandoffState._context,
    "HandoffAccept": HandoffState._accept,
    "HandoffDecline": HandoffState._decline,
    "Commitment": HandoffState._commit,
}
