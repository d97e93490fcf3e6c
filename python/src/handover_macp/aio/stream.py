"""Streams for asyncio: `async for`, or `read` with a time limit, and `close` (or use `async with`)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Generic, TypeVar

import grpc
import grpc.aio

from .._feeds import Feed, SessionFeed
from .._reading import End, Event, Reading
from .._reconnect import ReconnectPolicy, Reconnects
from .._refused import because, is_refused, tell_of_cut
from .._status import transport_error
from .._tracing import trace_headers
from .._wire import Message
from ..errors import MacpAckError, MacpClosedError, MacpSdkError, MacpTimeoutError, MacpTransportError
from ..models import Envelope
from ._transport import AsyncTransport

T = TypeVar("T")
S = TypeVar("S", bound="AsyncWatcher[Any]")
_BUFFER = 1024
_CLOSE_GRACE_SECONDS = 1.0


class AsyncWatcher(Generic[T]):
    """An endless async iterator over what the server sends; it reconnects by itself where nothing can be lost by it."""

    def __init__(
        self,
        transport: AsyncTransport,
        feed: Feed[T],
        *,
        reconnect: ReconnectPolicy | None = None,
        on_inline_error: Callable[[MacpAckError], None] | None = None,
        on_item: Callable[[T, int | None], object] | None = None,
    ) -> None:
        self._transport = transport
        self._feed = feed
        self._trace = trace_headers()
        self._outbox: asyncio.Queue[Message | None] = asyncio.Queue()
        self._reconnects = Reconnects(reconnect or ReconnectPolicy())
        self._reading = Reading(on_inline_error, on_item)
        self._items: asyncio.Queue[Event[T]] = asyncio.Queue(_BUFFER)
        self._finished = False
        self._refused: MacpSdkError | None = None
        self._closed = False
        self._task: asyncio.Task[None] | None = None
        if feed.opening():
            self._connect()

    @property
    def last_sequence(self) -> int:
        """Place in the session's history of the last envelope that was read; 0 before the first."""
        return self._reading.last_sequence

    async def read(self, timeout: float | None = None) -> T | None:
        """The next item; None at the end. Raises MacpTimeoutError when `timeout` seconds pass without one.

        An inline error is raised as MacpAckError, or given to `on_inline_error`; the stream goes on after it.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._reading.ended:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                # Without the first branch a limit of 0 would miss what is already here.
                event = self._items.get_nowait() if not self._items.empty() else await self._next(left)
            except asyncio.TimeoutError:
                raise MacpTimeoutError(f"nothing arrived within {timeout} s{because(self._refused)}") from None
            delivery = self._reading.take(event)
            if delivery is not None:
                return delivery.item
        self._reading.raise_end()
        return None

    async def _next(self, timeout: float | None) -> Event[T]:
        return await asyncio.wait_for(self._items.get(), timeout)

    def __aiter__(self) -> AsyncWatcher[T]:
        """Iterates until the stream ends."""
        return self

    async def __anext__(self) -> T:
        """The next item."""
        item = await self.read()
        if item is None:
            raise StopAsyncIteration
        return item

    async def close(self) -> None:
        """Ends the stream: what was already sent still goes out, what arrives is dropped."""
        self._closed = True
        self._reading.take(End())
        self._outbox.put_nowait(None)
        while not self._items.empty():
            self._items.get_nowait()
        # Wakes a reader in another task.
        self._items.put_nowait(End())
        if self._task is None:
            return
        if self._feed.method.client_streaming:
            await asyncio.wait({self._task}, timeout=_CLOSE_GRACE_SECONDS)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def __aenter__(self: S) -> S:
        """For use with `async with`."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the stream."""
        await self.close()

    # The rest runs in the stream's own task.

    @property
    def _connected(self) -> bool:
        return self._task is not None

    def _connect(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._pump())

    async def _pump(self) -> None:
        try:
            error = await self._follow()
        except Exception as fault:  # A reader must never wait for a task that is gone.
            error = MacpTransportError(repr(fault), "INTERNAL")
        await self._put(End(error))

    async def _follow(self) -> MacpSdkError | None:
        """Connects as often as it makes sense; the error that ended it, or None."""
        while True:
            error = await self._connection()
            if error is None and self._finished:
                return None
            delay = self._reconnects.delay(error) if self._feed.resumes else None
            if delay is None or self._closed:
                return error
            self._refused = error if is_refused(error) else None
            tell_of_cut(self._feed.method.name, error, delay)
            await asyncio.sleep(delay)
            if self._closed:
                return error

    async def _connection(self) -> MacpSdkError | None:
        """Follows one connection to its end; the error that ended it, or None."""
        opening = self._feed.opening()
        metadata = (*(self._feed.auth.metadata() if self._feed.auth else ()), *self._feed.headers, *self._trace)
        call = None
        writer = None
        try:
            call = self._transport.open(self._feed.method, opening, metadata, self._reconnects.waits)
            if self._feed.method.client_streaming:
                writer = asyncio.create_task(self._write(call, opening))
            while True:
                response = await call.read()
                if response is grpc.aio.EOF:
                    return None
                self._reconnects.arrived()
                self._refused = None
                for event in self._feed.received(response):
                    await self._put(event)
        except asyncio.CancelledError:
            # Closing the channel cancels what is read from it; a reader must not wait for that in vain.
            if self._closed or not self._transport.is_closed:
                raise
            return MacpClosedError("the client is closed")
        except grpc.RpcError as error:
            return transport_error(error, self._transport.target)
        except (MacpClosedError, grpc.aio.UsageError):
            return MacpClosedError("the client is closed")
        finally:
            if writer is not None:
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)
            if call is not None:
                call.cancel()

    async def _write(self, call: Any, opening: list[Message]) -> None:
        for frame in opening:
            await call.write(frame)
        # A connection after `finish` finds no end mark in the box: an earlier one took it.
        while not (self._finished and self._outbox.empty()):
            next_frame = await self._outbox.get()
            if next_frame is None:
                break
            await call.write(next_frame)
        await call.done_writing()

    async def _put(self, event: Event[T]) -> None:
        if not self._closed:
            await self._items.put(event)


class AsyncMacpStream(AsyncWatcher[Envelope]):
    """The stream of one session. Once subscribed it reconnects by itself and resumes where it was."""

    def __init__(
        self,
        transport: AsyncTransport,
        feed: SessionFeed,
        *,
        reconnect: ReconnectPolicy | None = None,
        on_inline_error: Callable[[MacpAckError], None] | None = None,
        on_envelope: Callable[[Envelope, int | None], object] | None = None,
    ) -> None:
        self._session_feed = feed
        super().__init__(
            transport, feed, reconnect=reconnect, on_inline_error=on_inline_error, on_item=on_envelope
        )

    def send(self, envelope: Envelope) -> None:
        """Sends an envelope; its acceptance shows as its own echo. Use `client.send` where an answer is needed."""
        self._check_open()
        self._outbox.put_nowait(self._session_feed.envelope_frame(envelope))
        self._connect()

    def send_subscribe(self, session_id: str, after_sequence: int = 0) -> None:
        """Follows a session from behind `after_sequence`; 0 means its whole history, then what comes."""
        self._check_open()
        self._session_feed.subscribe(session_id, after_sequence, self._connected)
        self._connect()

    def finish(self) -> None:
        """Says that nothing more will be sent: the server delivers what it has by now, and the stream ends."""
        self._finished = True
        self._outbox.put_nowait(None)

    def responses(self) -> AsyncMacpStream:
        """The stream itself, as an async iterator."""
        return self

    def _check_open(self) -> None:
        if self._closed or self._reading.ended:
            raise MacpClosedError("the stream is closed")
