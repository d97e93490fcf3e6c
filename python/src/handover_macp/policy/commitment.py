"""Who may bind an outcome, in policies of every mode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import MacpSessionError
from ..validation import validate_id

_AUTHORITIES = ("initiator_only", "any_participant", "designated_role")


@dataclass(frozen=True)
class CommitmentRules:
    """Who may commit, and the rules of single modes about Commitments."""

    authority: str = "initiator_only"
    """`initiator_only`, `any_participant` or `designated_role`."""
    designated_roles: Sequence[str] = field(default_factory=tuple)
    """The senders meant by `designated_role`."""
    require_vote_quorum: bool = False
    """Decision Mode: a Commitment needs the quorum of votes."""
    allow_decline_over_approval: bool = False
    """Decision Mode: a negative Commitment may stand against votes that approve."""
    allow_no_target: bool = False
    """Handoff Mode: a negative Commitment may close a session in which nobody was offered anything."""


def commitment_block(rules: CommitmentRules | None, *allowed: str) -> dict[str, Any]:
    """The block that policies of every mode have; `allowed` names the rules that only this mode has."""
    rules = rules or CommitmentRules()
    for name in ("require_vote_quorum", "allow_decline_over_approval", "allow_no_target"):
        if getattr(rules, name) and name not in allowed:
            raise MacpSessionError(name, "is a rule of another mode")
    if rules.authority not in _AUTHORITIES:
        raise MacpSessionError("authority", f"must be one of {', '.join(_AUTHORITIES)}")
    if len(rules.designated_roles) > 100:
        raise MacpSessionError("designated_roles", "has more than 100 senders")
    for role in rules.designated_roles:
        validate_id("designated_roles", role)
    if rules.authority == "designated_role" and not rules.designated_roles:
        raise MacpSessionError("designated_roles", "must name at least one sender")
    return {"authority": rules.authority, "designated_roles": list(rules.designated_roles)}
