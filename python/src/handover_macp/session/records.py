"""What every projection keeps. Records never change: an update puts a new one in their place."""

from __future__ import annotations

from dataclasses import dataclass

from ..models import CommitmentRef


@dataclass(frozen=True)
class CommitmentRecord:
    """The Commitment that resolved the session."""

    commitment_id: str
    """The id of the Commitment."""
    action: str
    """What was done, such as `handoff.accepted`."""
    authority_scope: str
    """What it is about."""
    reason: str
    """Why."""
    outcome_positive: bool
    """Whether the session came to what it was for."""
    mode_version: str = ""
    """The mode version that the session was bound to."""
    policy_version: str = ""
    """The policy that it was bound to."""
    configuration_version: str = ""
    """The configuration that it was bound to."""
    supersedes: CommitmentRef | None = None
    """An earlier Commitment that it replaces."""
    sender: str = ""
    """Who committed."""


@dataclass(frozen=True)
class SessionStartRecord:
    """What the session was bound to when it began; `context` is the frozen context, None when there is none."""

    initiator: str
    """Who started it."""
    intent: str
    """What it is for."""
    participants: tuple[str, ...]
    """Who takes part."""
    mode_version: str
    """The mode version that it is bound to."""
    configuration_version: str
    """The configuration that it is bound to."""
    policy_version: str
    """The policy that it is bound to."""
    ttl_ms: int
    """How long it lives."""
    context_id: str = ""
    """What the initiator called its context; may be empty."""
    context: bytes | None = None


@dataclass(frozen=True)
class ProjectionAnomaly:
    """A message that was left out because an earlier one had settled the same thing; no conforming server accepts it."""

    kind: str
    """duplicate_vote, duplicate_ballot, duplicate_task_accept or settled_handoff."""
    mode: str
    """The mode of the session."""
    message_type: str
    """Which message of the mode."""
    message_id: str
    """Its id."""
    sender: str
    """Who said it."""
    subject_id: str
    """The proposal, request, task or handoff that the message is about."""
    detail: str
    """One sentence for people."""
