"""Decision Mode: options are proposed, evaluated, objected to and voted on."""

from .projection import DecisionProjection
from .records import (
    DecisionEvaluationRecord,
    DecisionObjectionRecord,
    DecisionProposalRecord,
    DecisionVoteRecord,
)
from .session import DecisionSession

__all__ = [
    "DecisionEvaluationRecord",
    "DecisionObjectionRecord",
    "DecisionProjection",
    "DecisionProposalRecord",
    "DecisionSession",
    "DecisionVoteRecord",
]
