"""The canonical hash of a Commitment (RFC-MACP-0013), by which a later one can supersede it."""

from __future__ import annotations

from typing import Any

from .receipt.commitment import projection_hash
from .session.records import CommitmentRecord

_FIELDS = (
    "commitment_id",
    "action",
    "authority_scope",
    "reason",
    "mode_version",
    "policy_version",
    "configuration_version",
    "outcome_positive",
)


def commitment_hash(commitment: CommitmentRecord) -> str:
    """`sha256:` and the hex digits, over the Commitment's canonical JSON."""
    fields: dict[str, Any] = {name: getattr(commitment, name) for name in _FIELDS}
    if commitment.supersedes is not None:
        reference = commitment.supersedes
        fields["supersedes"] = {
            "session_id": reference.session_id,
            "commitment_hash": reference.commitment_hash,
        }
    return projection_hash(fields)
