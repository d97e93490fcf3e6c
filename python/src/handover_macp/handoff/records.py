"""What a projection tells about offers and their context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .content import context_json, context_text


@dataclass(frozen=True)
class HandoffOfferRecord:
    """One offer and what became of it; `disposition` is offered, accepted or declined."""

    handoff_id: str
    """The id of the offer."""
    target_participant: str
    """Who is asked."""
    scope: str = ""
    """What is to be handed over."""
    reason: str = ""
    """Why, in the words of the owner."""
    offered_by: str = ""
    """Who made the offer."""
    disposition: str = "offered"
    accepted_by: str = ""
    """Who accepted; empty unless somebody has."""
    declined_by: str = ""
    """Who declined; empty unless somebody has."""
    outcome_reason: str = ""
    """What was said with the answer."""
    implicit: bool = False
    """Answered by a policy's time-out, not by the target."""
    context_content_type: str = ""
    """Content type of the newest context; empty when there is none."""
    has_context: bool = False
    """True once context came in time for the target's answer."""

    @property
    def sender(self) -> str:
        """Who made the offer."""
        return self.offered_by

    @property
    def status(self) -> str:
        """The disposition, or `context_sent` for an open offer that has context."""
        return "context_sent" if self.disposition == "offered" and self.has_context else self.disposition


@dataclass(frozen=True)
class HandoffContextRecord:
    """One piece of context. `late` means that it came after the target's answer and was no part of the decision."""

    handoff_id: str
    """The offer that it belongs to."""
    content_type: str
    """The media type of the bytes."""
    context: bytes
    """The bytes as they came."""
    sender: str = ""
    """Who sent it."""
    late: bool = False
    message_id: str = ""
    """The id of its message."""

    def text(self) -> str | None:
        """The context as text; None when its bytes are none."""
        return context_text(self)

    def json(self) -> Any:
        """The value that the context's JSON says; None when its bytes are none."""
        return context_json(self)
