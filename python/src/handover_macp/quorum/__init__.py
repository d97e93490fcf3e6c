"""Quorum Mode: an action needs a number of approvals."""

from .projection import QuorumProjection
from .records import ApprovalRequestRecord, BallotRecord
from .session import QuorumSession
from .threshold import effective_quorum_threshold

__all__ = [
    "ApprovalRequestRecord",
    "BallotRecord",
    "QuorumProjection",
    "QuorumSession",
    "effective_quorum_threshold",
]
