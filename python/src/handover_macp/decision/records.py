"""What a projection tells about options, and about what was said of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DecisionProposalRecord:
    """An option to decide on."""

    proposal_id: str
    option: str
    rationale: str
    supporting_data: bytes
    sender: str


@dataclass(frozen=True)
class DecisionEvaluationRecord:
    """What somebody thinks of an option; `recommendation` is APPROVE, REVIEW, BLOCK or REJECT."""

    proposal_id: str
    recommendation: str
    confidence: float
    reason: str
    sender: str


@dataclass(frozen=True)
class DecisionObjectionRecord:
    """What speaks against an option; `severity` is low, medium, high or critical."""

    proposal_id: str
    severity: str
    reason: str
    sender: str


@dataclass(frozen=True)
class DecisionVoteRecord:
    """A vote that counts: APPROVE, REJECT or ABSTAIN."""

    proposal_id: str
    vote: str
    reason: str
    sender: str
