"""What a refusal carries for programs: the JSON in its details, and in the trailer of the same bytes."""

from __future__ import annotations

import json
from typing import Any

from .errors import PolicyDenial, Refusal


def read_details(details: bytes, macp_code: str | None, session_id: str, message_id: str = "") -> Refusal:
    """Details are free-form: another server may put something else there."""
    fields = _parsed(details)
    reasons = _texts(fields.get("reasons"))
    listed = fields.get("denials")
    denials = [_denial(item) for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return Refusal(
        macp_code,
        session_id,
        message_id,
        reasons or tuple(denial.message for denial in denials),
        # An older server gives sentences alone.
        tuple(denials) or tuple(PolicyDenial("unspecified", reason) for reason in reasons),
        _milliseconds(fields.get("retry_after_ms")),
    )


def _parsed(details: bytes) -> dict[str, Any]:
    try:
        value = json.loads(details) if details else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _denial(item: dict[str, Any]) -> PolicyDenial:
    code, message = item.get("code"), item.get("message")
    return PolicyDenial(
        code if isinstance(code, str) else "unspecified",
        message if isinstance(message, str) else "",
        _texts(item.get("participants")),
    )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _milliseconds(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 2**53:
        return None
    return int(value)
