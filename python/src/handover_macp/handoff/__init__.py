"""Handoff Mode: responsibility goes to a named target, who accepts or declines."""

from ..session.records import CommitmentRecord, SessionStartRecord
from .content import context_json, context_text, encode_context
from .open_offer import OpenOffer
from .projection import HandoffProjection
from .records import HandoffContextRecord, HandoffOfferRecord
from .session import HandoffSession

__all__ = [
    "CommitmentRecord",
    "HandoffContextRecord",
    "HandoffOfferRecord",
    "HandoffProjection",
    "HandoffSession",
    "OpenOffer",
    "SessionStartRecord",
    "context_json",
    "context_text",
    "encode_context",
]
