"""What every projection keeps. Records never change: an update puts a new one in their place."""

from __future__ import annotations

from dataclasses import dataclass

from ..models import CommitmentRef


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


@dataclass(frozen=True)
class ProjectionAnomaly:
    """A message that was left out because an earlier one had settled the same thing; no conforming server accepts it."""

    kind: str
    """duplicate_vote, duplicate_ballot, duplicate_task_accept or settled_handoff."""
    mode: str
    message_type: str
    message_id: str
    sender: str
    subject_id: str
    """The proposal, request, task or handoff that the message is about."""
    detail: str
    """One sentence for people."""
