"""An in-process gRPC server whose answers a test scripts: for failures that a real server does not produce at will."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent import futures
from typing import Any

import grpc
from handover_macp._wire import METHODS, SERVICE, core

Envelope = core("Envelope")
StreamResponse = core("StreamSessionResponse")


class FakeServer:
    """`unary[name](request, context)` answers a call, `streams[name](requests, context)` yields responses."""

    def __init__(self) -> None:
        self.unary: dict[str, Callable[[Any, Any], Any]] = {}
        self.streams: dict[str, Callable[[Any, Any], Iterator[Any]]] = {}
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, self._handlers()),))
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def _handlers(self) -> dict[str, Any]:
        handlers = {}
        for name, method in METHODS.items():
            options = {
                "request_deserializer": method.request.FromString,
                "response_serializer": method.response.SerializeToString,
            }
            if method.client_streaming:
                handlers[name] = grpc.stream_stream_rpc_method_handler(self._stream(name), **options)
            elif method.server_streaming:
                handlers[name] = grpc.unary_stream_rpc_method_handler(self._stream(name), **options)
            else:
                handlers[name] = grpc.unary_unary_rpc_method_handler(self._unary(name), **options)
        return handlers

    def _unary(self, name: str) -> Callable[[Any, Any], Any]:
        return lambda request, context: self.unary[name](request, context)

    def _stream(self, name: str) -> Callable[[Any, Any], Iterator[Any]]:
        return lambda requests, context: self.streams[name](requests, context)

    def stop(self) -> None:
        """Ends at once."""
        self._server.stop(None)


def accepted(request: Any) -> Any:
    """The answer that accepts an envelope."""
    envelope = request.envelope
    ack = {"ok": True, "message_id": envelope.message_id, "session_id": envelope.session_id, "session_state": 1}
    return METHODS["Send"].response(ack=ack)


def refused(request: Any, code: str, details: bytes = b"") -> Any:
    """The answer that refuses an envelope."""
    envelope = request.envelope
    ids = {"message_id": envelope.message_id, "session_id": envelope.session_id}
    error = {"code": code, "message": "no", "details": details, **ids}
    return METHODS["Send"].response(ack={"ok": False, "error": error, **ids})


def frame(number: int, session_id: str) -> Any:
    """A response frame with an offer whose message id is `m<number>`."""
    return StreamResponse(
        envelope=Envelope(
            macp_version="1.0",
            mode="macp.mode.handoff.v1",
            message_type="HandoffOffer",
            message_id=f"m{number}",
            session_id=session_id,
        )
    )
