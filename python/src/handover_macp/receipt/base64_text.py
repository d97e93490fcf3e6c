"""Base64 in its one spelling: texts that other decoders would also take are refused."""

from __future__ import annotations

import base64
import binascii


def from_base64(text: object) -> bytes | None:
    """Standard base64 with padding."""
    if not isinstance(text, str):
        return None
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def from_base64url(text: object) -> bytes | None:
    """The URL-safe alphabet without padding; None for an empty text."""
    if not isinstance(text, str) or not text or "=" in text or "+" in text or "/" in text:
        return None
    data = from_base64(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))
    return data


def to_base64url(data: bytes) -> str:
    """The URL-safe alphabet without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
