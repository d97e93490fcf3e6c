"""Synchronous streams: iterate, or `read` with a time limit, and `close` (or use `with`)."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Generic, TypeVar

import grpc

from ._feeds import Feed, SessionFeed
from ._reading import End, Event, Reading
from ._outbox import Outbox
from ._reconnect import ReconnectPolicy, Reconnects
from ._refused import because, is_refused, tell_of_cut
from ._status import transport_error
from ._tracing import trace_headers
from ._transport import SyncTransport
from .errors import MacpAckError, MacpClosedError, MacpSdkError, MacpTimeoutError, MacpTransportError
from .models import Envelope

T = TypeVar("T")
S = TypeVar("S", bound="Watcher[Any]")
_BUFFER = 1024
_CLOSE_GRACE_SECONDS = 1.0


class Watcher(Generic[T]):
    """An endless iterator over what the server sends; it reconnects by itself where nothing can be lost by it."""

    def __init__(
        self,
        transport: SyncTransport,
        feed: Feed[T],
        *,
        reconnect: ReconnectPolicy | None = None,
        on_inline_error: Callable[[MacpAckError], None] | None = None,
        on_item: Callable[[T, int | None], object] | None = None,
    ) -> None:
        self._transport = transport
        self._feed = feed
        self._trace = trace_headers()
        self._outbox = Outbox()
        self._reconnects = Reconnects(reconnect or ReconnectPolicy())
        self._reading = Reading(on_inline_error, on_item)
        self._items: queue.Queue[Event[T]] = queue.Queue(_BUFFER)
        self._finished = False
        self._refused: MacpSdkError | None = None
        self._closed = threading.Event()
        self._call: grpc.Call | None = None
        self._thread = threading.Thread(target=self._pump, name="macp-stream", daemon=True)
        if feed.opening():
            self._thread.start()

    @property
    def last_sequence(self) -> int:
        """Place in the session's history of the last envelope that was read; 0 before the first."""
        return self._reading.last_sequence

    def read(self, timeout: float | None = None) -> T | None:
        """The next item; None at the end. Raises MacpTimeoutError when `timeout` seconds pass without one.

        An inline error is raised as MacpAckError, or given to `on_inline_error`; the stream goes on after it.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._reading.ended:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                delivery = self._reading.take(self._items.get(timeout=left))
            except queue.Empty:
                raise MacpTimeoutError(f"nothing arrived within {timeout} s{because(self._refused)}") from None
            if delivery is not None:
                return delivery.item
        self._reading.raise_end()
        return None

    @property
    def _connected(self) -> bool:
        return self._thread.ident is not None

    def __iter__(self) -> Watcher[T]:
        """Iterates until the stream ends."""
        return self

    def __next__(self) -> T:
        """The next item."""
        item = self.read()
        if item is None:
            raise StopIteration
        return item

    def close(self) -> None:
        """Ends the stream: what was already sent still goes out, what arrives is dropped."""
        self._closed.set()
        self._outbox.finish()
        if self._feed.method.client_streaming and self._connected:
            self._thread.join(_CLOSE_GRACE_SECONDS)
        if self._call is not None:
            self._call.cancel()
        self._reading.take(End())
        self._drop_items()
        # Wakes a reader in another thread.
        self._offer(End())

    def __enter__(self: S) -> S:
        """For use with `with`."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the stream."""
        self.close()

    # The rest runs in the stream's own thread.

    def _pump(self) -> None:
        try:
            error = self._follow()
        except Exception as fault:  # A reader must never wait for a thread that is gone.
            error = MacpTransportError(repr(fault), "INTERNAL")
        self._put(End(error))

    def _follow(self) -> MacpSdkError | None:
        """Connects as often as it makes sense; the error that ended it, or None."""
        while True:
            error = self._connection()
            if error is None and self._finished:
                return None
            if self._transport.is_closed and not self._closed.is_set():
                return MacpClosedError("the client is closed")
            delay = self._reconnects.delay(error) if self._feed.resumes else None
            if delay is None or self._closed.is_set():
                return error
            self._refused = error if is_refused(error) else None
            tell_of_cut(self._feed.method.name, error, delay)
            if self._closed.wait(delay):
                return error

    def _connection(self) -> MacpSdkError | None:
        """Follows one connection to its end; the error that ended it, or None."""
        try:
            requests = self._outbox.drain(self._feed.opening())
            metadata = (*(self._feed.auth.metadata() if self._feed.auth else ()), *self._feed.headers, *self._trace)
            self._call = self._transport.open(self._feed.method, requests, metadata, self._reconnects.waits)
            if self._closed.is_set() and not self._feed.method.client_streaming:
                self._call.cancel()
            for response in self._call:
                self._reconnects.arrived()
                self._refused = None
                for event in self._feed.received(response):
                    self._put(event)
        except grpc.RpcError as error:
            return transport_error(error, self._transport.target)
        except (MacpClosedError, ValueError):
            return MacpClosedError("the client is closed")
        finally:
            self._outbox.disconnect()
        return None

    def _put(self, event: Event[T]) -> None:
        while not self._closed.is_set():
            try:
                return self._items.put(event, timeout=0.5)
            except queue.Full:
                continue  # The reader is slow: the connection waits with us.

    def _offer(self, event: End) -> None:
        try:
            self._items.put_nowait(event)
        except queue.Full:
            pass

    def _drop_items(self) -> None:
        while True:
            try:
                self._items.get_nowait()
            except queue.Empty:
                return


class MacpStream(Watcher[Envelope]):
    """The stream of one session. Once subscribed it reconnects by itself and resumes where it was."""

    def __init__(
        self,
        transport: SyncTransport,
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
        self._outbox.put(self._session_feed.envelope_frame(envelope))
        self._connect()

    def send_subscribe(self, session_id: str, after_sequence: int = 0) -> None:
        """Follows a session from behind `after_sequence`; 0 means its whole history, then what comes."""
        self._check_open()
        self._session_feed.subscribe(session_id, after_sequence, self._connected)
        self._connect()

    def finish(self) -> None:
        """Says that nothing more will be sent: the server delivers what it has by now, and the stream ends."""
        self._finished = True
        self._outbox.finish()

    def responses(self) -> MacpStream:
        """The stream itself, as an iterator."""
        return self

    def _connect(self) -> None:
        if not self._connected:
            self._thread.start()

    def _check_open(self) -> None:
        if self._closed.is_set() or self._reading.ended:
            raise MacpClosedError("the stream is closed")
