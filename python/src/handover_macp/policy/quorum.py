"""The builder of Quorum policies. What is left out has the protocol's default."""

from __future__ import annotations

from dataclasses import dataclass

from ..constants import MODE_QUORUM
from ..errors import MacpSessionError
from ..models import PolicyDescriptor
from ..validation import validate_integer
from .build import block, check_choice, check_flag, descriptor
from .commitment import CommitmentRules, commitment_block


@dataclass(frozen=True)
class QuorumThreshold:
    """How many approvals are needed; without a value the request decides."""

    type: str | None = None
    """n_of_m (the default): a number of approvals; percentage: of the participants."""
    value: int | None = None
    """At least 1; a percentage is a whole number up to 100: 50 means 50 percent. Without one the request decides."""


@dataclass(frozen=True)
class AbstentionRules:
    """For readers of the policy: an abstention uses up a ballot and changes nothing else."""

    counts_toward_quorum: bool | None = None
    """Whether an abstention counts as taking part."""
    interpretation: str | None = None
    """neutral, implicit_reject or ignored."""


def build_quorum_policy(
    policy_id: str,
    description: str,
    *,
    threshold: QuorumThreshold | None = None,
    abstention: AbstentionRules | None = None,
    commitment: CommitmentRules | None = None,
) -> PolicyDescriptor:
    """A policy for Quorum sessions, ready for `register_policy`."""
    threshold = threshold or QuorumThreshold()
    abstention = abstention or AbstentionRules()
    kind = check_choice("type", threshold.type, ("n_of_m", "percentage"))
    if threshold.value is not None:
        validate_integer("value", threshold.value, 1, 100 if kind == "percentage" else 2**53 - 1)
    interpretations = ("neutral", "implicit_reject", "ignored")
    blocks = {
        "threshold": block(type=kind, value=threshold.value),
        "abstention": block(
            counts_toward_quorum=check_flag("counts_toward_quorum", abstention.counts_toward_quorum),
            interpretation=check_choice("interpretation", abstention.interpretation, interpretations),
        ),
        "commitment": commitment_block(commitment),
    }
    return descriptor(MODE_QUORUM, policy_id, description, blocks)
