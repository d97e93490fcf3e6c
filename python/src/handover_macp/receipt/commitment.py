"""What a commitment hash covers (macp-2026:14.1): read from a document, or made of the bytes of a Commitment."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from .._wire import core
from .document import canonical_json, flag, shape, text

_LABEL = "macp-commitment-hash/1:"
_TEXTS = (
    "commitment_id",
    "action",
    "authority_scope",
    "reason",
    "mode_version",
    "policy_version",
    "configuration_version",
)
_VARINT, _BYTES = 0, 2
_SUPERSEDES = 9
_COMMITMENT = {**{field: _BYTES for field in (1, 2, 3, 4, 5, 6, 7, _SUPERSEDES)}, 8: _VARINT}
_REFERENCE = {1: _BYTES, 2: _BYTES}

check_commitment = shape(
    {**{name: text for name in _TEXTS}, "outcome_positive": flag},
    {"supersedes": shape({"session_id": text, "commitment_hash": text}, {})},
)


def projection_hash(projection: Mapping[str, Any]) -> str:
    """`sha256:` and the hex digits, over the canonical JSON of a Commitment's nine fields."""
    return "sha256:" + hashlib.sha256((_LABEL + canonical_json(dict(projection))).encode()).hexdigest()


def projection_of(payload: bytes) -> dict[str, Any] | None:
    """None: the bytes are no Commitment, or hold something that the hash does not cover."""
    if not _only_fields(payload, _COMMITMENT):
        return None
    try:
        commitment = core("CommitmentPayload").FromString(payload)
    except Exception:  # The class of a decoding error differs between protobuf versions.
        return None
    fields: dict[str, Any] = {name: getattr(commitment, name) for name in _TEXTS}
    fields["outcome_positive"] = commitment.outcome_positive
    if commitment.HasField("supersedes"):
        reference = commitment.supersedes
        fields["supersedes"] = {
            "session_id": reference.session_id,
            "commitment_hash": reference.commitment_hash,
        }
    return fields


def _only_fields(data: bytes, known: Mapping[int, int]) -> bool:
    """Whether bytes hold these fields and nothing else; their order and repetitions do not matter."""
    at = 0
    while at < len(data):
        tag = _read_varint(data, at)
        if tag is None or known.get(tag[0] >> 3) != tag[0] & 7:
            return False
        value = _read_varint(data, tag[1])
        if value is None:
            return False
        at = value[1]
        if tag[0] & 7 != _BYTES:
            continue
        end = at + value[0]
        is_reference = known is _COMMITMENT and tag[0] >> 3 == _SUPERSEDES
        if end > len(data) or (is_reference and not _only_fields(data[at:end], _REFERENCE)):
            return False
        at = end
    return True


def _read_varint(data: bytes, start: int) -> tuple[int, int] | None:
    """The number and where it ends; None when it is cut off or has more than ten bytes."""
    value = 0
    for place, byte in enumerate(data[start : start + 10]):
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value, start + place + 1
    return None
