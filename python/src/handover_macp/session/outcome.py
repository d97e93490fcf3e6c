"""The fields of a Commitment, checked."""

from __future__ import annotations

from typing import Any

from ..envelopes import new_commitment_id, outcome_of
from ..models import CommitmentRef
from ..validation import validate_commitment_hash, validate_id, validate_text


def outcome_fields(
    action: str,
    authority_scope: str,
    reason: str,
    commitment_id: str | None,
    outcome_positive: bool | None,
    supersedes: CommitmentRef | None,
) -> dict[str, Any]:
    """Everything but the versions."""
    fields: dict[str, Any] = {
        "commitment_id": validate_id("commitment_id", commitment_id or new_commitment_id()),
        "action": validate_text("action", action),
        "authority_scope": validate_text("authority_scope", authority_scope),
        "reason": validate_text("reason", reason),
        "outcome_positive": outcome_of(action, outcome_positive),
    }
    if supersedes is not None:
        fields["supersedes"] = {
            "session_id": validate_text("supersedes", supersedes.session_id),
            "commitment_hash": validate_commitment_hash(supersedes.commitment_hash),
        }
    return fields
