"""Spans of OpenTelemetry, where its API can be imported; it is no dependency.

O1. Each call is a span of kind client: its method, the ids of session and message, and the code that came of it. Never a payload,
    a reason, or a credential.
O2. The trace goes along as `traceparent` and `tracestate`, on calls and on streams. Baggage stays here.
O3. Where nothing records, nothing is collected.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ._wire import Message
from .version import VERSION

if TYPE_CHECKING:
    from ._effects import Call
    from .errors import MacpTransportError

Headers = Sequence[tuple[str, str]]


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


_trace = _imported("opentelemetry.trace")
_context = _imported("opentelemetry.trace.propagation.tracecontext")
_tracer = _trace.get_tracer("handover_macp", VERSION) if _trace and _context else None
_propagator = _context.TraceContextTextMapPropagator() if _tracer else None


def trace_headers() -> Headers:
    """What carries the current trace; nothing where there is none."""
    if _propagator is None:
        return ()
    carrier: dict[str, str] = {}
    _propagator.inject(carrier)
    return tuple(carrier.items())


class CallSpan:
    """What one call adds to its span."""

    def __init__(self, span: Any) -> None:
        self._span = span
        self.headers = trace_headers()

    def answered(self, response: Message) -> None:
        """A message that the server refused is an answer, too."""
        if self._span is None:
            return
        ack = getattr(response, "ack", None)
        if ack is None or ack.ok:
            self._ended("OK", _trace.StatusCode.OK)
        else:
            self._ended(ack.error.code, _trace.StatusCode.ERROR)

    def failed(self, error: MacpTransportError) -> None:
        """The call itself failed."""
        if self._span is not None:
            self._ended(error.macp_code or error.code, _trace.StatusCode.ERROR)

    def _ended(self, code: str, status: Any) -> None:
        self._span.set_attribute("macp.code", code)
        # Only an error has words.
        self._span.set_status(_trace.Status(status, code if code != "OK" else None))


@contextlib.contextmanager
def call_span(call: Call) -> Iterator[CallSpan]:
    """The span of one call, current while it is made."""
    if _tracer is None:
        yield CallSpan(None)
        return
    name = call.method.path[1:]
    with _tracer.start_as_current_span(name, kind=_trace.SpanKind.CLIENT, record_exception=False) as span:
        if span.is_recording():
            span.set_attributes(_attributes(call))
        yield CallSpan(span)


def _attributes(call: Call) -> dict[str, str]:
    envelope = getattr(call.request, "envelope", None)
    named = {
        "macp.session_id": call.session_id,
        "macp.message_id": getattr(envelope, "message_id", ""),
        "macp.message_type": getattr(envelope, "message_type", ""),
        "macp.mode": getattr(envelope, "mode", ""),
    }
    _, service, method = call.method.path.split("/")
    fixed = {"rpc.system": "grpc", "rpc.service": service, "rpc.method": method}
    return {**fixed, **{name: value for name, value in named.items() if value}}
