"""Checks that need no server. Each raises `MacpSessionError` that names the argument."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence

from .constants import MAX_PARTICIPANTS, MAX_TTL_MS
from .errors import MacpSessionError

_UUID_LIKE = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,256}")
_COMMITMENT_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_MAX_ID_BYTES = 256


def validate_kind(argument: str, value: object, kind: type) -> None:
    """An object of a class of this package."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise MacpSessionError(argument, f"must be {article} {kind.__name__}, not {type(value).__name__}")


def validate_text(argument: str, value: object) -> str:
    """A string that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise MacpSessionError(argument, "is missing or blank")
    return value


def validate_id(argument: str, value: object) -> str:
    """An id: 1 to 256 bytes, not blank, without control characters."""
    text = validate_text(argument, value)
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in text) or len(text.encode()) > _MAX_ID_BYTES:
        raise MacpSessionError(argument, f"must be 1 to {_MAX_ID_BYTES} bytes without control characters")
    return text


def validate_session_id(value: object) -> str:
    """A lowercase UUID of version 4 or 7, or at least 22 URL-safe characters."""
    text = validate_text("session_id", value)
    form = _UUID if _UUID_LIKE.fullmatch(text) else _TOKEN
    if not form.fullmatch(text):
        raise MacpSessionError(
            "session_id", "must be a lowercase UUID of version 4 or 7, or at least 22 of [A-Za-z0-9_-]"
        )
    return text


def validate_integer(argument: str, value: object, low: int, high: int) -> int:
    """An integer from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise MacpSessionError(argument, f"must be a whole number from {low} to {high}")
    return value


def validate_ttl_ms(value: object) -> int:
    """A time to live from 1 ms to 24 hours."""
    return validate_integer("ttl_ms", value, 1, MAX_TTL_MS)


def validate_bytes(argument: str, value: object) -> bytes:
    """Bytes; text is refused because its encoding would be a guess."""
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise MacpSessionError(argument, "must be bytes")
    return bytes(value)


def validate_participants(value: Sequence[str]) -> list[str]:
    """At least one participant, at most 1000, none blank, none twice."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise MacpSessionError("participants", "must be a list of names")
    names = [validate_id("participants", name) for name in value]
    if not names:
        raise MacpSessionError("participants", "is empty")
    if len(names) > MAX_PARTICIPANTS:
        raise MacpSessionError("participants", f"has {len(names)} names; at most {MAX_PARTICIPANTS}")
    if len({name.strip() for name in names}) < len(names):
        raise MacpSessionError("participants", "must not name anyone twice")
    return names


def validate_commitment_hash(value: object) -> str:
    """The hash of a Commitment: `sha256:` and 64 lowercase hex digits."""
    if not isinstance(value, str) or not _COMMITMENT_HASH.fullmatch(value):
        raise MacpSessionError("supersedes", 'must have a commitment_hash of "sha256:" and 64 lowercase hex digits')
    return value


def validate_word(argument: str, value: object, words: Sequence[str]) -> str:
    """One of a closed set of words, in any case of letters; returned as the protocol writes it."""
    found = next((word for word in words if isinstance(value, str) and word.lower() == value.lower()), None)
    if found is None:
        raise MacpSessionError(argument, f"must be one of {', '.join(words)}")
    return found


def validate_number(argument: str, value: object, low: float | None = None, high: float | None = None) -> float:
    """A number that is one, from `low` to `high` where they are given."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise MacpSessionError(argument, "must be a number")
    if (low is not None and value < low) or (high is not None and value > high):
        raise MacpSessionError(argument, f"must be a number from {low} to {high}" if high else f"must be {low} or more")
    return float(value)
