"""Checking a macp-receipt/1 without a server (macp-2026:14.5).

V1. A document of another format, or whose members are not what the format has, is refused as a whole.
V2. Integrity first: hash and wire bytes against the commitment as it stands there. If they do not match, nobody's word
    for the document counts, and attestations are not looked at.
V3. One valid attestation makes it attested. Without one it is whole, and says nothing of its origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import MacpSessionError
from .attestation import check_attestation
from .base64_text import from_base64
from .commitment import check_commitment, projection_hash, projection_of
from .document import (
    Unreadable,
    anything,
    canonical_json,
    check_canonical,
    listed,
    matching,
    parse_json,
    shape,
    text,
    whole,
    whole_seconds,
)
from .records import DecisionReceipt, ReceiptKeySet, ReceiptVerification

# Members that are not known here are signed like all others, and say nothing to us.
_check_members = shape(
    {
        "receipt_format": matching("macp-receipt/1", '"macp-receipt/1"'),
        "session_id": text,
        "mode": text,
        # Judged by itself: a commitment that cannot be read has a verdict of its own.
        "commitment": anything,
        "commitment_hash": text,
        "issuer": matching("runtime:.+", '"runtime:" and the id of the runtime'),
        "issued_at": whole_seconds,
        "attestations": listed,
    },
    {
        "commitment_wire_b64": text,
        "semantics_rev": shape({"implementation": text, "rev": whole}, {}),
        "transcript": shape({"digest_alg": text, "digest": text}, {"message_count": whole}),
    },
    closed=False,
)


def verify_receipt(
    receipt: str | DecisionReceipt, trusted_keys: ReceiptKeySet | Mapping[str, bytes]
) -> ReceiptVerification:
    """Checks the text of a receipt. Keys are 32 raw bytes by name; trust in them comes from you, not from the receipt."""
    trusted = _trusted(trusted_keys)
    try:
        document = parse_json(receipt.text if isinstance(receipt, DecisionReceipt) else receipt)
        check_canonical(document)
        _check_members(document, "receipt")
        signed = canonical_json({name: member for name, member in document.items() if name != "attestations"})
    except (ValueError, RecursionError) as error:
        return ReceiptVerification("refused", None, flaw=str(error))
    integrity, flaw = _integrity(document)
    if integrity != "match":
        return ReceiptVerification("unverified", integrity, flaw=flaw)
    checked = tuple(check_attestation(item, signed, trusted) for item in document["attestations"])
    attested = any(item.status == "valid" for item in checked)
    return ReceiptVerification("attested" if attested else "integrity_only", integrity, checked)


def _trusted(keys: ReceiptKeySet | Mapping[str, bytes]) -> Mapping[str, bytes]:
    trusted = keys.keys if isinstance(keys, ReceiptKeySet) else keys
    if not isinstance(trusted, Mapping) or not all(isinstance(key, bytes) and len(key) == 32 for key in trusted.values()):
        raise MacpSessionError("trusted_keys", "must be a ReceiptKeySet, or public keys of 32 bytes by name")
    return trusted


def _integrity(document: Mapping[str, Any]) -> tuple[str, str | None]:
    commitment = document["commitment"]
    try:
        check_commitment(commitment, "commitment")
    except Unreadable as error:
        return "cannot_verify", str(error)
    if projection_hash(commitment) != document["commitment_hash"]:
        return "mismatch", "commitment_hash is not the hash of the commitment"
    if "commitment_wire_b64" not in document:
        return "match", None
    wire = from_base64(document["commitment_wire_b64"])
    if wire is None:
        return "cannot_verify", "commitment_wire_b64 is not padded standard base64"
    projected = projection_of(wire)
    if projected is None:
        return "cannot_verify", "commitment_wire_b64 is not a Commitment of the nine fields alone"
    if projected != commitment:
        return "mismatch", "commitment_wire_b64 is another commitment"
    return "match", None
