"""What tests of the inbox and of the worker share."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from concurrent import futures

import grpc
from handover_macp import AuthConfig
from handover_macp._wire import METHODS, SERVICE
from handover_macp.aio import AsyncHandoffSession


class Calls:
    """A server between a client and the real one that passes every call on and counts it."""

    def __init__(self, address: str) -> None:
        self._counter: Counter[str] = Counter()
        self._channel = grpc.insecure_channel(address)
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=64))
        handlers = {name: self._handler(name, method) for name, method in METHODS.items()}
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self.before_send = lambda request, context: None
        """May refuse a Send, or lose its answer: what it returns is called with the answer."""
        self.heard = lambda name, metadata: None
        """Is told of each call."""

    def __enter__(self):
        self._server.start()
        return self

    def __exit__(self, *_):
        self._server.stop(None).wait()
        self._channel.close()

    def count(self, name):
        return self._counter[name]

    def _handler(self, name, method):
        same = {"request_serializer": None, "response_deserializer": None}

        def headers(context):
            return [pair for pair in context.invocation_metadata() if not pair[0].startswith("grpc-") and pair[0] != "user-agent"]

        def unary(request, context):
            self._counter[name] += 1
            self.heard(name, context.invocation_metadata())
            after = self.before_send(request, context) if name == "Send" else None
            try:
                answer = self._channel.unary_unary(method.path, **same)(request, metadata=headers(context), timeout=30)
            except grpc.RpcError as error:
                context.set_trailing_metadata(error.trailing_metadata() or ())
                context.abort(error.code(), error.details())
            return after(answer) if after else answer

        def stream(requests, context):
            self._counter[name] += 1
            self.heard(name, context.invocation_metadata())
            kind = self._channel.stream_stream if method.client_streaming else self._channel.unary_stream
            call = kind(method.path, **same)(requests, metadata=headers(context))
            context.add_callback(call.cancel)
            try:
                yield from call
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.CANCELLED:
                    context.set_trailing_metadata(error.trailing_metadata() or ())
                    context.abort(error.code(), error.details())

        if method.client_streaming:
            return grpc.stream_stream_rpc_method_handler(stream)
        if method.server_streaming:
            return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(unary)


async def offered(client, target, *, contexts=(), ttl_ms=60_000, others=(), **start):
    """A session of the client's agent with an offer `h1` to the target."""
    session = AsyncHandoffSession(client, **{key: start.pop(key) for key in ("policy_version",) if key in start})
    await session.start(intent="x", participants=[target, *others], ttl_ms=ttl_ms, **start)
    await session.offer("h1", target, scope="s", reason="r")
    for number, context in enumerate(contexts):
        await session.add_context("h1", content_type="text/plain", context=context, message_id=f"c{number}")
    return session


async def answered(session, handoff_id="h1", seconds=30.0):
    """The offer once it is answered."""
    return await session.wait_for_answer(handoff_id, timeout=seconds)


@contextlib.asynccontextmanager
async def working(worker):
    """Runs a worker beside a test, and stops it."""
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        worker.stop()
        await asyncio.wait_for(task, 30)


async def until(said, seconds=30.0):
    """Waits until something is true."""
    for _ in range(int(seconds / 0.02)):
        if said():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never became true")


def as_agent(name):
    return AuthConfig.for_dev_agent(name)
