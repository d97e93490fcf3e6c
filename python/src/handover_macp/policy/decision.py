"""The builder of Decision policies. What is left out has the protocol's default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..constants import MODE_DECISION
from ..errors import MacpSessionError
from ..models import PolicyDescriptor
from ..validation import validate_id, validate_integer, validate_number
from .build import block, check_choice, check_flag, descriptor
from .commitment import CommitmentRules, commitment_block

_ALGORITHMS = ("none", "majority", "supermajority", "unanimous", "weighted", "plurality")
_NEWEST_SCHEMA_VERSION = 3


@dataclass(frozen=True)
class VotingRules:
    """How votes decide."""

    algorithm: str | None = None
    """none (the default), majority, supermajority, unanimous, weighted or plurality."""
    threshold: float | None = None
    """The share of approvals that is needed, above 0 and at most 1; 0.5 by default."""
    quorum_type: str | None = None
    """count or percentage."""
    quorum_value: float | None = None
    """How many must vote; a percentage is 0, or from 1 to 100: 50 means 50 percent."""
    weights: Mapping[str, float] | None = None
    """What each voter's vote weighs; somebody who is not named weighs nothing."""


@dataclass(frozen=True)
class ObjectionHandlingRules:
    """What critical objections do."""

    critical_severity_vetoes: bool | None = None
    """Whether a critical objection is a veto."""
    veto_threshold: int | None = None
    """How many critical objections veto; 1 by default."""
    critical_objection_action: str | None = None
    """deny (the default), finalize_decline or hold."""


@dataclass(frozen=True)
class EvaluationRules:
    """Whether there must be evaluations, and how confident ones."""

    required_before_voting: bool | None = None
    """Whether an option needs an evaluation before it is voted on."""
    minimum_confidence: float | None = None
    """How sure an evaluation must be, from 0 to 1."""


def build_decision_policy(
    policy_id: str,
    description: str,
    *,
    voting: VotingRules | None = None,
    objection_handling: ObjectionHandlingRules | None = None,
    evaluation: EvaluationRules | None = None,
    commitment: CommitmentRules | None = None,
    schema_version: int = _NEWEST_SCHEMA_VERSION,
) -> PolicyDescriptor:
    """A policy for Decision sessions, ready for `register_policy`."""
    validate_integer("schema_version", schema_version, 1, _NEWEST_SCHEMA_VERSION)
    commitment = commitment or CommitmentRules()
    blocks = {
        "voting": _voting(voting or VotingRules()),
        "objection_handling": _objections(objection_handling or ObjectionHandlingRules()),
        "evaluation": _evaluation(evaluation or EvaluationRules()),
        "commitment": {
            **commitment_block(commitment, "require_vote_quorum", "allow_decline_over_approval"),
            **block(
                require_vote_quorum=commitment.require_vote_quorum or None,
                allow_decline_over_approval=commitment.allow_decline_over_approval or None,
            ),
        },
    }
    return descriptor(MODE_DECISION, policy_id, description, blocks, schema_version)


def _voting(rules: VotingRules) -> dict[str, object]:
    check_choice("algorithm", rules.algorithm, _ALGORITHMS)
    _check_threshold(rules.algorithm, rules.threshold)
    check_choice("quorum_type", rules.quorum_type, ("count", "percentage"))
    _check_quorum(rules.quorum_type, rules.quorum_value)
    if rules.algorithm == "weighted" and rules.weights is None:
        raise MacpSessionError("weights", "must be given for weighted")
    quorum = block(type=rules.quorum_type, value=rules.quorum_value)
    return block(
        algorithm=rules.algorithm,
        threshold=rules.threshold,
        quorum=quorum or None,
        weights=None if rules.weights is None else _weights(rules.weights),
    )


def _check_threshold(algorithm: str | None, threshold: float | None) -> None:
    if threshold is not None and validate_number("threshold", threshold, 0, 1) == 0:
        raise MacpSessionError("threshold", "must be above 0")
    if algorithm == "majority" and threshold is not None and threshold < 0.5:
        raise MacpSessionError("threshold", "must be at least 0.5 for majority")
    if algorithm == "supermajority" and (threshold is None or threshold <= 0.5):
        raise MacpSessionError("threshold", "must be given for supermajority, above 0.5")


def _check_quorum(kind: str | None, value: float | None) -> None:
    if value is None:
        return
    validate_number("quorum_value", value, 0)
    # Half of the participants, or half a percent of them: the server refuses what may be either.
    if kind == "percentage" and (value > 100 or 0 < value < 1):
        raise MacpSessionError("quorum_value", "must be 0, or from 1 to 100: 50 means 50 percent")


def _weights(weights: Mapping[str, float]) -> dict[str, float]:
    for voter, weight in weights.items():
        validate_id("weights", voter)
        if validate_number("weights", weight) <= 0:
            raise MacpSessionError("weights", f"must be above 0, also for {voter!r}")
    if not weights:
        raise MacpSessionError("weights", "must not be empty")
    return dict(weights)


def _objections(rules: ObjectionHandlingRules) -> dict[str, object]:
    if rules.veto_threshold is not None:
        validate_integer("veto_threshold", rules.veto_threshold, 1, 2**53 - 1)
    return block(
        critical_severity_vetoes=check_flag("critical_severity_vetoes", rules.critical_severity_vetoes),
        veto_threshold=rules.veto_threshold,
        critical_objection_action=check_choice(
            "critical_objection_action", rules.critical_objection_action, ("deny", "finalize_decline", "hold")
        ),
    )


def _evaluation(rules: EvaluationRules) -> dict[str, object]:
    if rules.minimum_confidence is not None:
        validate_number("minimum_confidence", rules.minimum_confidence, 0, 1)
    return block(
        required_before_voting=check_flag("required_before_voting", rules.required_before_voting),
        minimum_confidence=rules.minimum_confidence,
    )
