"""gRPC failures as the SDK's errors."""

from __future__ import annotations

from typing import Any

from ._connection_mistake import connection_mistake, why_unavailable
from ._failures import STATUSES
from ._refusal_details import read_details
from ._target import Target
from .errors import MacpConnectionError, MacpTimeoutError, MacpTransportError


def transport_error(error: Any, target: Target, session_id: str = "") -> MacpTransportError:
    """The error for a failed call of either transport."""
    code = error.code().name if error.code() is not None else "UNKNOWN"
    text = error.details() or "the call failed"
    # The code and the details that a server sends as trailers of a status (macp-2026:2.1 and 2.2).
    trailers = {key: value for key, value in error.trailing_metadata() or ()}
    macp_code = trailers.get("macp-error-code")
    if macp_code is None and code == "RESOURCE_EXHAUSTED" and "larger than max" in text:
        macp_code = "PAYLOAD_TOO_LARGE"
    refusal = read_details(trailers.get("macp-error-details-bin", b""), macp_code, session_id)
    if code == "DEADLINE_EXCEEDED":
        return MacpTimeoutError(f"no answer from {target.address} in time: is it the gRPC port of the runtime?", refusal)
    if code == "UNAVAILABLE" and macp_code is None:
        mistake = connection_mistake(text, target)
        if mistake is not None:
            return MacpConnectionError(mistake, code, refusal)
        text = why_unavailable(text, target) or text
    return STATUSES.get(macp_code, MacpTransportError)(text, code, refusal)
