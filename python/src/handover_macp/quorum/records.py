"""What a projection tells about the request, and about the ballots."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ApprovalRequestRecord:
    """The thing that is to be approved."""

    request_id: str
    """The id of the request."""
    action: str
    """What is to be approved."""
    summary: str
    """The same in a few words."""
    details: bytes
    """Whatever bytes came with it."""
    required_approvals: int
    """How many approvals the request asks for."""
    sender: str
    """Who asks."""


@dataclass(frozen=True)
class BallotRecord:
    """A ballot that counts; `choice` is approve, reject or abstain."""

    request_id: str
    """The request that is meant."""
    choice: str
    reason: str
    """Why."""
    sender: str
    """Whose ballot it is."""
