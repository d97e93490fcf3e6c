"""What a projection tells about proposals, and about the answers to them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProposalRecord:
    """A proposal or a counter-proposal."""

    proposal_id: str
    """The id of the proposal."""
    title: str
    """What it is called."""
    summary: str
    """The same in a few words."""
    details: bytes
    """Whatever bytes came with it."""
    tags: tuple[str, ...]
    """Words to sort it by."""
    sender: str
    """Who made it."""
    status: str = "open"
    """open, withdrawn, or rejected: somebody rejected it for good."""
    supersedes: str | None = None
    """The proposal that this one counters."""


@dataclass(frozen=True)
class ProposalAcceptRecord:
    """Somebody accepted a proposal, perhaps another one later."""

    proposal_id: str
    """The proposal that was accepted."""
    reason: str
    """Why."""
    sender: str
    """Who accepted it."""


@dataclass(frozen=True)
class ProposalRejectRecord:
    """Somebody rejected a proposal; `terminal` means for good."""

    proposal_id: str
    """The proposal that was rejected."""
    terminal: bool
    reason: str
    """Why."""
    sender: str
    """Who rejected it."""
