"""What a projection tells about options, and about what was said of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DecisionProposalRecord:
    """An option to decide on."""

    proposal_id: str
    """The id of the option."""
    option: str
    """What it is."""
    rationale: str
    """Why, in the words of the proposer."""
    supporting_data: bytes
    """Whatever bytes came with it."""
    sender: str
    """Who proposed it."""


@dataclass(frozen=True)
class DecisionEvaluationRecord:
    """What somebody thinks of an option; `recommendation` is APPROVE, REVIEW, BLOCK or REJECT."""

    proposal_id: str
    """The option that is meant."""
    recommendation: str
    confidence: float
    """How sure, from 0 to 1."""
    reason: str
    """Why."""
    sender: str
    """Who thinks so."""


@dataclass(frozen=True)
class DecisionObjectionRecord:
    """What speaks against an option; `severity` is low, medium, high or critical."""

    proposal_id: str
    """The option that is meant."""
    severity: str
    reason: str
    """What speaks against it."""
    sender: str
    """Who objects."""


@dataclass(frozen=True)
class DecisionVoteRecord:
    """A vote that counts: APPROVE, REJECT or ABSTAIN."""

    proposal_id: str
    """The option that is meant."""
    vote: str
    """APPROVE, REJECT or ABSTAIN."""
    reason: str
    """Why."""
    sender: str
    """Who votes."""
