"""Builders of policies. Rules that contradict themselves, or that no server would take, are refused here."""

from .commitment import CommitmentRules
from .decision import EvaluationRules, ObjectionHandlingRules, VotingRules, build_decision_policy
from .handoff import HandoffAcceptanceRules, build_handoff_policy
from .proposal import build_proposal_policy
from .quorum import AbstentionRules, QuorumThreshold, build_quorum_policy
from .task import build_task_policy

__all__ = [
    "AbstentionRules",
    "CommitmentRules",
    "EvaluationRules",
    "HandoffAcceptanceRules",
    "ObjectionHandlingRules",
    "QuorumThreshold",
    "VotingRules",
    "build_decision_policy",
    "build_handoff_policy",
    "build_proposal_policy",
    "build_quorum_policy",
    "build_task_policy",
]
