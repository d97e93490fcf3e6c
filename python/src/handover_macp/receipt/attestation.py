"""What an attestation is worth: a compact JWS with a detached payload, EdDSA, a header of `alg` and `kid` alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import MacpSdkError
from .base64_text import from_base64url, to_base64url
from .records import AttestationCheck


def check_attestation(attestation: Any, signed: str, trusted: Mapping[str, bytes]) -> AttestationCheck:
    """`signed` is the canonical text of the receipt without its attestations."""
    kind = attestation.get("type") if isinstance(attestation, dict) else None
    if not isinstance(kind, str):
        return AttestationCheck("", "invalid")
    if kind != "jws":
        return AttestationCheck(kind, "unsupported")
    parts = attestation["jws"].split(".") if isinstance(attestation.get("jws"), str) else []
    if len(parts) != 3 or parts[1]:
        return AttestationCheck(kind, "invalid")
    header, signature = _header(parts[0]), from_base64url(parts[2])
    algorithm = header.get("alg") if header else None
    if header is None or signature is None or not isinstance(algorithm, str):
        return AttestationCheck(kind, "invalid")
    if algorithm != "EdDSA":
        return AttestationCheck(kind, "unsupported")
    kid = header.get("kid")
    # Further members could change what the signature means (`b64`, `crit`), and no receipt has any.
    if not isinstance(kid, str) or not kid or len(header) != 2:
        return AttestationCheck(kind, "invalid")
    if kid not in trusted:
        return AttestationCheck(kind, "unknown_key", kid)
    data = f"{parts[0]}.{to_base64url(signed.encode())}".encode()
    return AttestationCheck(kind, "valid" if _verifies(trusted[kid], data, signature) else "invalid", kid)


def _header(text: str) -> dict[str, Any] | None:
    data = from_base64url(text)
    try:
        value = None if data is None else json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _verifies(public_key: bytes, data: bytes, signature: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise MacpSdkError(
            "checking a signature needs the package cryptography: pip install 'handover-macp-sdk[receipts]'"
        ) from None
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True
