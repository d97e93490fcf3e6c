"""Carries out operations over a synchronous gRPC channel."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import grpc

from ._effects import Done, Effect, Operation, Sleep, advance
from ._status import transport_error
from ._target import Target
from ._wire import Message, Method

T = TypeVar("T")


class SyncTransport:
    """One channel; safe to use from several threads."""

    def __init__(self, target: Target) -> None:
        if target.credentials is None:
            self.channel = grpc.insecure_channel(target.address, options=target.options)
        else:
            self.channel = grpc.secure_channel(target.address, target.credentials, options=target.options)

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
        try:
            response = self._method(effect.method)(effect.request, timeout=effect.timeout, metadata=effect.metadata)
        except grpc.RpcError as error:
            return advance(operation, error=transport_error(error))
        return advance(operation, response)

    def _method(self, method: Method) -> Callable[..., Message]:
        unary: Callable[..., Message] = self.channel.unary_unary(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString,
        )
        return unary

    def open(self, method: Method, requests: Any, metadata: Any, wait: bool) -> Any:
        """Opens a stream and returns its gRPC call; `wait` waits for a server that is not there yet."""
        if method.client_streaming:
            kind = self.channel.stream_stream
        else:
            kind = self.channel.unary_stream
            requests = next(iter(requests))
        stub = kind(
            method.path,
            request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString,
        )
        return stub(requests, metadata=metadata, wait_for_ready=wait)

    def close(self) -> None:
        """Closes the channel."""
        self.channel.close()
