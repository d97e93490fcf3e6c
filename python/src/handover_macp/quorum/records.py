"""What a projection tells about the request, and about the ballots."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ApprovalRequestRecord:
    """The thing that is to be approved."""

    request_id: str
    action: str
    summary: str
    details: bytes
    required_approvals: int
    sender: str


@dataclass(frozen=True)
class BallotRecord:
    """A ballot that counts; `choice` is approve, reject or abstain."""

    request_id: str
    choice: str
    reason: str
    sender: str
