"""Carries out operations over a gRPC channel of asyncio."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

import grpc
import grpc.aio

from .._effects import Done, Effect, Operation, Sleep, advance
from .._status import transport_error
from .._target import Target
from .._wire import Message, Method

T = TypeVar("T")


class AsyncTransport:
    """One channel, opened on first use so that it belongs to the running event loop."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._channel: Any = None

    @property
    def channel(self) -> Any:
        """The gRPC channel."""
        if self._channel is None:
            address, credentials, options = self._target.address, self._target.credentials, self._target.options
            if credentials is None:
                self._channel = grpc.aio.insecure_channel(address, options=options)
            else:
                self._channel = grpc.aio.secure_channel(address, credentials, options=options)
        return self._channel

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
        try:
            unary = self._unary(effect.method)
            response = await unary(effect.request, timeout=effect.timeout, metadata=effect.metadata)
        except grpc.RpcError as error:
            return advance(operation, error=transport_error(error))
        return advance(operation, response)

    def _unary(self, method: Method) -> Any:
        return self.channel.unary_unary(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString,
        )

    def open(self, method: Method, opening: list[Message], metadata: Any, wait: bool) -> Any:
        """Opens a stream and returns its gRPC call; a bidirectional one is written to by the caller.

        `wait` waits for a server that is not there yet.
        """
        options = {"metadata": metadata, "wait_for_ready": wait}
        serializers = {
            "request_serializer": method.request.SerializeToString,
            "response_deserializer": method.response.FromString,
        }
        if method.client_streaming:
            return self.channel.stream_stream(method.path, **serializers)(**options)
        return self.channel.unary_stream(method.path, **serializers)(opening[0], **options)

    async def close(self) -> None:
        """Closes the channel."""
        if self._channel is not None:
            await self._channel.close()
