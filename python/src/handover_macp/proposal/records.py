"""What a projection tells about proposals, and about the answers to them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProposalRecord:
    """A proposal or a counter-proposal."""

    proposal_id: str
    title: str
    summary: str
    details: bytes
    tags: tuple[str, ...]
    sender: str
    status: str = "open"
    """open, withdrawn, or rejected: somebody rejected it for good."""
    supersedes: str | None = None
    """The proposal that this one counters."""


@dataclass(frozen=True)
class ProposalAcceptRecord:
    """Somebody accepted a proposal, perhaps another one later."""

    proposal_id: str
    reason: str
    sender: str


@dataclass(frozen=True)
class ProposalRejectRecord:
    """Somebody rejected a proposal; `terminal` means for good."""

    proposal_id: str
    terminal: bool
    reason: str
    sender: str
