"""Frames on their way out of a synchronous stream.

gRPC pulls requests from an iterator in a thread of its own. When a connection ends, that thread must stop waiting and
must not take a frame that belongs to the next connection.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator

from ._wire import Message


class Outbox:
    """A queue of frames that one connection at a time may drain."""

    def __init__(self) -> None:
        self._frames: deque[Message] = deque()
        self._changed = threading.Condition()
        self._connection = 0
        self._finished = False

    def put(self, frame: Message) -> None:
        """Adds a frame."""
        with self._changed:
            self._frames.append(frame)
            self._changed.notify_all()

    def finish(self) -> None:
        """No more frames: the connection half-closes when all are out."""
        with self._changed:
            self._finished = True
            self._changed.notify_all()

    def disconnect(self) -> None:
        """Releases whoever drains the box for a connection that is over."""
        with self._changed:
            self._connection += 1
            self._changed.notify_all()

    def drain(self, opening: list[Message]) -> Iterator[Message]:
        """The requests of a new connection: its opening frames, then what is put in."""
        with self._changed:
            self._connection += 1
            connection = self._connection
        return self._drain(opening, connection)

    def _drain(self, opening: list[Message], connection: int) -> Iterator[Message]:
        yield from opening
        while True:
            with self._changed:
                while connection == self._connection and not self._frames and not self._finished:
                    self._changed.wait()
                if connection != self._connection or not self._frames:
                    return
                frame = self._frames.popleft()
            yield frame
