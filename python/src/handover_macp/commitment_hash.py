"""The canonical hash of a Commitment (RFC-MACP-0013), by which a later one can supersede it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from .session.records import CommitmentRecord

_DOMAIN = "macp-commitment-hash/1:"
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
    # Keys are ASCII and values strings and booleans: for these, sorted compact JSON is the canonical form (RFC 8785).
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256((_DOMAIN + text).encode()).hexdigest()
