"""Context as people write it: text, JSON or bytes, with the content type that says which."""

from __future__ import annotations

import json
from typing import Any, Protocol

from ..errors import MacpSessionError
from ..validation import validate_text

_TEXT = "text/plain; charset=utf-8"
_JSON = "application/json"
_BYTES = "application/octet-stream"


class HasContext(Protocol):
    """Whatever has the bytes of a context: a record of a projection, for one."""

    @property
    def context(self) -> bytes:
        """The bytes."""


def encode_context(content: Any, content_type: str | None = None) -> tuple[str, bytes]:
    """Content type and bytes of a context: text for a `str`, bytes as they are, JSON for everything else."""
    if isinstance(content, (bytes, bytearray, memoryview)):
        kind, data = _BYTES, bytes(content)
    elif isinstance(content, str):
        kind, data = _TEXT, _utf8(content)
    else:
        kind, data = _JSON, _utf8(_json(content))
    return (kind if content_type is None else validate_text("content_type", content_type)), data


def _json(content: Any) -> str:
    try:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise MacpSessionError("context", "is nothing that JSON can say") from None


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise MacpSessionError("context", "has half of a surrogate pair, which UTF-8 cannot say") from None


def context_text(record: HasContext) -> str | None:
    """A context as text; None when its bytes are none."""
    try:
        return record.context.decode()
    except UnicodeDecodeError:
        return None


def context_json(record: HasContext) -> Any:
    """A context as the value that its JSON says; None when its bytes are none."""
    try:
        return json.loads(record.context.decode())
    except (ValueError, RecursionError):
        return None
