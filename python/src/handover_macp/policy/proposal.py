"""The builder of Proposal policies. What is left out has the protocol's default."""

from __future__ import annotations

from ..constants import MODE_PROPOSAL
from ..models import PolicyDescriptor
from ..validation import validate_integer
from .build import block, check_choice, check_flag, descriptor
from .commitment import CommitmentRules, commitment_block


def build_proposal_policy(
    policy_id: str,
    description: str,
    *,
    criterion: str | None = None,
    max_rounds: int | None = None,
    terminal_on_any_reject: bool | None = None,
    commitment: CommitmentRules | None = None,
) -> PolicyDescriptor:
    """A policy for Proposal sessions, ready for `register_policy`.

    `criterion` says whose acceptance is needed: all_parties (the default), counterparty (all but the author), or
    initiator. `max_rounds` limits counter-proposals; 0 is no limit.
    """
    if max_rounds is not None:
        validate_integer("max_rounds", max_rounds, 0, 2**53 - 1)
    criteria = ("all_parties", "counterparty", "initiator")
    blocks = {
        "acceptance": block(criterion=check_choice("criterion", criterion, criteria)),
        "counter_proposal": block(max_rounds=max_rounds),
        "rejection": block(
            terminal_on_any_reject=check_flag("terminal_on_any_reject", terminal_on_any_reject)
        ),
        "commitment": commitment_block(commitment),
    }
    return descriptor(MODE_PROPOSAL, policy_id, description, blocks)
