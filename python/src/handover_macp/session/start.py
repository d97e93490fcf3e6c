"""The fields of a SessionStart, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..constants import CONTEXT_EXTENSION
from ..errors import MacpSessionError
from ..models import Root
from ..validation import validate_bytes, validate_integer, validate_text, validate_ttl_ms


def start_fields(
    intent: str,
    participants: Sequence[str],
    ttl_ms: int,
    context: bytes | None,
    context_id: str,
    extensions: Mapping[str, bytes] | None,
    roots: Sequence[Root] | None,
    max_suspend_ms: int,
) -> dict[str, Any]:
    """Everything but the versions."""
    return {
        "intent": validate_text("intent", intent),
        "participants": list(participants),
        "ttl_ms": validate_ttl_ms(ttl_ms),
        "roots": [{"uri": root.uri, "name": root.name} for root in roots or ()],
        "context_id": context_id,
        "extensions": _with_context(extensions or {}, context),
        "max_suspend_ms": validate_integer("max_suspend_ms", max_suspend_ms, 0, 2**53 - 1),
    }


def _with_context(extensions: Mapping[str, bytes], context: bytes | None) -> dict[str, bytes]:
    values = {key: validate_bytes("extensions", value) for key, value in extensions.items()}
    if context is None:
        return values
    if CONTEXT_EXTENSION in values:
        raise MacpSessionError("context", f"is also given as extension {CONTEXT_EXTENSION!r}")
    return {**values, CONTEXT_EXTENSION: validate_bytes("context", context)}
