"""The builder of Handoff policies. Every rule is written out, so that a stored policy shows what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..constants import MODE_HANDOFF
from ..errors import MacpSessionError
from ..models import PolicyDescriptor
from ..validation import validate_integer
from .build import descriptor
from .commitment import CommitmentRules, commitment_block

_MAX_MS = 2**53 - 1


@dataclass(frozen=True)
class HandoffAcceptanceRules:
    """What happens when a target stays silent; 0 switches a rule off, and only one of the two may be on."""

    implicit_accept_timeout_ms: int = 0
    """Silence for this long counts as an accept."""
    implicit_decline_timeout_ms: int = 0
    """Silence for this long counts as a decline."""


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
    rules: dict[str, dict[str, Any]] = {
        "acceptance": {"implicit_accept_timeout_ms": accept_ms},
        "commitment": commitment_block(commitment, "allow_no_target"),
    }
    no_target = commitment.allow_no_target if allow_no_target is None else allow_no_target
    if decline_ms or no_target:
        # Rules that the protocol does not have; without them other servers take the policy, too.
        rules["x-handover.rules"] = {"implicit_decline_timeout_ms": decline_ms, "allow_no_target": no_target}
    return descriptor(MODE_HANDOFF, policy_id, description, rules)


def _either(named: int | None, grouped: int) -> int:
    return grouped if named is None else named
