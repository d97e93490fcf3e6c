"""A receipt as it came, the keys that may have signed it, and what a check of it says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import MacpSdkError
from .base64_text import from_base64url


@dataclass(frozen=True)
class DecisionReceipt:
    """A receipt: `text` is what was issued, byte for byte; `document` the same, parsed and not checked."""

    text: str
    document: Mapping[str, Any]

    @classmethod
    def parse(cls, text: str) -> DecisionReceipt:
        """Reads the text of a receipt; whether it holds says `verify_receipt`."""
        return cls(text, _object(text, "a receipt"))


@dataclass(frozen=True)
class ReceiptKeySet:
    """Public keys of a server, by name: 32 bytes each. `text` is the JSON Web Key Set they came in."""

    text: str
    keys: Mapping[str, bytes]
    """The public keys by their names."""

    @classmethod
    def parse(cls, text: str) -> ReceiptKeySet:
        """Reads a JSON Web Key Set; keys of other kinds are left out."""
        listed = _object(text, "a key set").get("keys")
        found: dict[str, bytes] = {}
        for key in listed if isinstance(listed, list) else []:
            if not isinstance(key, dict) or (key.get("kty"), key.get("crv")) != ("OKP", "Ed25519"):
                continue
            kid, public = key.get("kid"), from_base64url(key.get("x"))
            if isinstance(kid, str) and public is not None and len(public) == 32:
                found[kid] = public
        return cls(text, found)


@dataclass(frozen=True)
class AttestationCheck:
    """What one attestation is worth: valid, invalid, unsupported, or unknown_key."""

    type: str
    """The kind of attestation, such as `jws`."""
    status: str
    """What it is worth."""
    kid: str | None = None
    """The key that it names; None where it names none."""


@dataclass(frozen=True)
class ReceiptVerification:
    """What a check says. Only `attested` means that somebody trusted stands for the receipt."""

    verdict: str
    """attested, integrity_only (whole, but nobody trusted signed it), unverified, or refused."""
    integrity: str | None
    """match, mismatch or cannot_verify; None when the document was refused."""
    attestations: tuple[AttestationCheck, ...] = ()
    """What each attestation is worth, in the order of the receipt."""
    flaw: str | None = None
    """Where it does not hold."""


def _object(text: str, what: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MacpSdkError(f"{what} must be JSON: {error}") from None
    if not isinstance(value, dict):
        raise MacpSdkError(f"{what} must be a JSON object")
    return value
