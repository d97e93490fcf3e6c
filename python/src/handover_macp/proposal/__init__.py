"""Proposal Mode: peers propose and counter-propose until they agree."""

from .projection import ProposalProjection
from .records import ProposalAcceptRecord, ProposalRecord, ProposalRejectRecord
from .session import ProposalSession

__all__ = [
    "ProposalAcceptRecord",
    "ProposalProjection",
    "ProposalRecord",
    "ProposalRejectRecord",
    "ProposalSession",
]
