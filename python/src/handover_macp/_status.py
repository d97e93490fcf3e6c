"""gRPC failures as the SDK's errors."""

from __future__ import annotations

from typing import Any

from .errors import MacpTimeoutError, MacpTransportError


def transport_error(error: Any) -> MacpTransportError:
    """The error for a failed call of either transport."""
    code = error.code().name if error.code() is not None else "UNKNOWN"
    details = error.details() or "the call failed"
    if code == "DEADLINE_EXCEEDED":
        return MacpTimeoutError(details)
    return MacpTransportError(details, code)
