"""What a projection keeps. Records never change: an update puts a new one in their place."""

from __future__ import annotations

from dataclasses import dataclass

from .models import CommitmentRef


@dataclass(frozen=True)
class HandoffOfferRecord:
    """One offer and what became of it; `disposition` is offered, accepted or declined."""

    handoff_id: str
    target_participant: str
    scope: str = ""
    reason: str = ""
    offered_by: str = ""
    disposition: str = "offered"
    accepted_by: str = ""
    declined_by: str = ""
    outcome_reason: str = ""
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
    content_type: str
    context: bytes
    sender: str = ""
    late: bool = False
    message_id: str = ""


@dataclass(frozen=True)
class CommitmentRecord:
    """The Commitment that resolved the session."""

    commitment_id: str
    action: str
    authority_scope: str
    reason: str
    outcome_positive: bool
    mode_version: str = ""
    policy_version: str = ""
    configuration_version: str = ""
    supersedes: CommitmentRef | None = None
    sender: str = ""


@dataclass(frozen=True)
class SessionStartRecord:
    """What the session was bound to when it began; `context` is the frozen context, None when there is none."""

    initiator: str
    intent: str
    participants: tuple[str, ...]
    mode_version: str
    configuration_version: str
    policy_version: str
    ttl_ms: int
    context_id: str = ""
    context: bytes | None = None
