"""Carries out operations over synchronous gRPC channels."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import grpc

from ._effects import Call, Done, Effect, Operation, Sleep, advance
from ._status import transport_error
from ._stream_channels import StreamChannels
from ._target import Target
from ._tracing import Headers, call_span
from ._wire import Message, Method
from .errors import MacpClosedError

T = TypeVar("T")


class SyncTransport:
    """One channel for calls, and more for streams; safe to use from several threads."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._closed = False
        self._channel = self._open_channel()
        self._streams = StreamChannels(self._open_channel)

    def _open_channel(self) -> Any:
        address, credentials, options = self.target.address, self.target.credentials, self.target.options
        if credentials is None:
            return grpc.insecure_channel(address, options=options)
        return grpc.secure_channel(address, credentials, options=options)

    def run(self, operation: Operation[T]) -> T:
        """Runs an operation to its end."""
        step = advance(operation)
        while not isinstance(step, Done):
            step = self._step(operation, step)
        return step.value

    def _step(self, operation: Operation[T], effect: Effect) -> Effect | Done[T]:
        if isinstance(effect, Sleep):
            time.sleep(effect.seconds)
            return advance(operation)
        self.check_open()
        failure = None
        try:
            with call_span(effect) as span:
                try:
                    response = self._call(effect, span.headers)
                    span.answered(response)
                except grpc.RpcError as error:
                    failure = transport_error(error, self.target, effect.session_id)
                    span.failed(failure)
        except ValueError:
            # gRPC's way to say that the channel was closed meanwhile, by another thread.
            self.check_open()
            raise
        return advance(operation, error=failure) if failure else advance(operation, response)

    def _call(self, call: Call, headers: Headers) -> Message:
        unary: Callable[..., Message] = self._channel.unary_unary(
            call.method.path,
            request_serializer=call.method.request.SerializeToString,
            response_deserializer=call.method.response.FromString,
        )
        return unary(call.request, timeout=call.timeout, metadata=(*call.metadata, *headers))

    def open(self, method: Method, requests: Any, metadata: Any, wait: bool) -> Any:
        """Opens a stream and returns its gRPC call; `wait` waits for a server that is not there yet."""
        self.check_open()
        channel, leave = self._streams.take()
        try:
            if method.client_streaming:
                kind = channel.stream_stream
            else:
                kind = channel.unary_stream
                requests = next(iter(requests))
            stub = kind(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.response.FromString,
            )
            call = stub(requests, metadata=metadata, wait_for_ready=wait)
        except BaseException:
            leave()
            raise
        if not call.add_callback(leave):
            leave()
        return call

    @property
    def is_closed(self) -> bool:
        """True after `close`."""
        return self._closed

    def check_open(self) -> None:
        """Raises after `close`."""
        if self._closed:
            raise MacpClosedError("the client is closed")

    def close(self) -> None:
        """Closes the channels."""
        self._closed = True
        for channel in (self._channel, *self._streams.channels):
            channel.close()
