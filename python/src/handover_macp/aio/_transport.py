"""Carries out operations over gRPC channels of asyncio."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

import grpc
import grpc.aio

from .._effects import Call, Done, Effect, Operation, Sleep, advance
from .._status import transport_error
from .._stream_channels import StreamChannels
from .._target import Target
from .._tracing import Headers, call_span
from .._wire import Message, Method
from ..errors import MacpClosedError

T = TypeVar("T")


class AsyncTransport:
    """One channel for calls, and more for streams, opened on first use so that they belong to the running event loop."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._closed = False
        self._channel: Any = None
        self._streams = StreamChannels(self._open_channel)

    def _open_channel(self) -> Any:
        address, credentials, options = self.target.address, self.target.credentials, self.target.options
        if credentials is None:
            return grpc.aio.insecure_channel(address, options=options)
        return grpc.aio.secure_channel(address, credentials, options=options)

    async def run(self, operation: Operation[T]) -> T:
        """Runs an operation to its end."""
        step = advance(operation)
        while not isinstance(step, Done):
            step = await self._step(operation, step)
        return step.value

    async def _step(self, operation: Operation[T], effect: Effect) -> Effect | Done[T]:
        if isinstance(effect, Sleep):
            await asyncio.sleep(effect.seconds)
            return advance(operation)
        self.check_open()
        failure = None
        try:
            with call_span(effect) as span:
                try:
                    response = await self._call(effect, span.headers)
                    span.answered(response)
                except grpc.RpcError as error:
                    failure = transport_error(error, self.target, effect.session_id)
                    span.failed(failure)
        except grpc.aio.UsageError:
            # gRPC's way to say that the channel was closed meanwhile.
            self.check_open()
            raise
        return advance(operation, error=failure) if failure else advance(operation, response)

    def _call(self, call: Call, headers: Headers) -> Any:
        if self._channel is None:
            self._channel = self._open_channel()
        unary = self._channel.unary_unary(
            call.method.path,
            request_serializer=call.method.request.SerializeToString,
            response_deserializer=call.method.response.FromString,
        )
        return unary(call.request, timeout=call.timeout, metadata=(*call.metadata, *headers))

    def open(self, method: Method, opening: list[Message], metadata: Any, wait: bool) -> Any:
        """Opens a stream and returns its gRPC call; a bidirectional one is written to by the caller.

        `wait` waits for a server that is not there yet.
        """
        self.check_open()
        channel, leave = self._streams.take()
        options = {"metadata": metadata, "wait_for_ready": wait}
        serializers = {
            "request_serializer": method.request.SerializeToString,
            "response_deserializer": method.response.FromString,
        }
        try:
            if method.client_streaming:
                call = channel.stream_stream(method.path, **serializers)(**options)
            else:
                call = channel.unary_stream(method.path, **serializers)(opening[0], **options)
        except BaseException:
            leave()
            raise
        call.add_done_callback(leave)
        return call

    @property
    def is_closed(self) -> bool:
        """True after `close`."""
        return self._closed

    def check_open(self) -> None:
        """Raises after `close`."""
        if self._closed:
            raise MacpClosedError("the client is closed")

    async def close(self) -> None:
        """Closes the channels."""
        self._closed = True
        for channel in (self._channel, *self._streams.channels):
            if channel is not None:
                await channel.close()
