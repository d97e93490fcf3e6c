"""The builder of Handoff policies. Every rule is written out, so that a stored policy shows what it means."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from .constants import MODE_HANDOFF
from .errors import MacpSessionError
from .models import PolicyDescriptor
from .validation import validate_id, validate_integer

_AUTHORITIES = ("initiator_only", "any_participant", "designated_role")
_MAX_MS = 2**53 - 1


@dataclass(frozen=True)
class HandoffAcceptanceRules:
    """What happens when a target stays silent; 0 switches a rule off, and only one of the two may be on."""

    implicit_accept_timeout_ms: int = 0
    """Silence for this long counts as an accept."""
    implicit_decline_timeout_ms: int = 0
    """Silence for this long counts as a decline."""


@dataclass(frozen=True)
class CommitmentRules:
    """Who may commit, and whether a session may be closed without any target."""

    authority: str = "initiator_only"
    """`initiator_only`, `any_participant` or `designated_role`."""
    designated_roles: Sequence[str] = field(default_factory=tuple)
    """The senders meant by `designated_role`."""
    require_vote_quorum: bool = False
    """A rule of other modes; a Handoff policy cannot have it."""
    allow_no_target: bool = False
    """Lets a negative Commitment close a session in which nobody was offered anything."""


def build_handoff_policy(
    policy_id: str,
    description: str,
    *,
    acceptance: HandoffAcceptanceRules | None = None,
    commitment: CommitmentRules | None = None,
    implicit_accept_timeout_ms: int | None = None,
    implicit_decline_timeout_ms: int | None = None,
    allow_no_target: bool | None = None,
) -> PolicyDescriptor:
    """A policy for Handoff Mode; the single rules given by name win over `acceptance` and `commitment`."""
    acceptance = acceptance or HandoffAcceptanceRules()
    commitment = commitment or CommitmentRules()
    accept_ms = _either(implicit_accept_timeout_ms, acceptance.implicit_accept_timeout_ms)
    decline_ms = _either(implicit_decline_timeout_ms, acceptance.implicit_decline_timeout_ms)
    validate_integer("implicit_accept_timeout_ms", accept_ms, 0, _MAX_MS)
    validate_integer("implicit_decline_timeout_ms", decline_ms, 0, _MAX_MS)
    if accept_ms and decline_ms:
        raise MacpSessionError("implicit_decline_timeout_ms", "excludes implicit_accept_timeout_ms")
    _check_authority(commitment)
    rules = {
        "acceptance": {"implicit_accept_timeout_ms": accept_ms},
        "commitment": {
            "authority": commitment.authority,
            "designated_roles": list(commitment.designated_roles),
        },
    }
    no_target = commitment.allow_no_target if allow_no_target is None else allow_no_target
    if decline_ms or no_target:
        # Rules that the protocol does not have; without them other servers take the policy, too.
        rules["x-handover.rules"] = {"implicit_decline_timeout_ms": decline_ms, "allow_no_target": no_target}
    return PolicyDescriptor(
        policy_id=validate_id("policy_id", policy_id),
        mode=MODE_HANDOFF,
        description=description,
        rules=json.dumps(rules),
        schema_version=1,
    )


def _either(named: int | None, grouped: int) -> int:
    return grouped if named is None else named


def _check_authority(commitment: CommitmentRules) -> None:
    if commitment.require_vote_quorum:
        raise MacpSessionError("require_vote_quorum", "is a rule of other modes")
    if commitment.authority not in _AUTHORITIES:
        raise MacpSessionError("authority", f"must be one of {', '.join(_AUTHORITIES)}")
    for role in commitment.designated_roles:
        validate_id("designated_roles", role)
    if commitment.authority == "designated_role" and not commitment.designated_roles:
        raise MacpSessionError("designated_roles", "must name at least one sender")
