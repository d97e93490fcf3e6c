"""Channels for streams and watches.

A connection carries only so many streams: beyond the server's limit HTTP/2 lets further calls wait without a word. So a
channel gets a number of streams that servers allow, and then there is another. Calls that are answered at once have a
channel of their own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

STREAMS_PER_CHANNEL = 50
"""Servers allow from 64 on."""


class StreamChannels:
    """A pool of channels; they stay until the client closes, so their number is that of the most streams at once."""

    def __init__(self, open_channel: Callable[[], Any]) -> None:
        self._open = open_channel
        self._lock = threading.Lock()
        self.channels: list[Any] = []
        self._streams: list[int] = []

    def take(self) -> tuple[Any, Callable[..., None]]:
        """A channel with room, and what to call once, when the stream is over."""
        with self._lock:
            place = next((n for n, count in enumerate(self._streams) if count < STREAMS_PER_CHANNEL), None)
            if place is None:
                place = len(self.channels)
                self.channels.append(self._open())
                self._streams.append(0)
            self._streams[place] += 1
        return self.channels[place], lambda *_: self._leave(place)

    def _leave(self, place: int) -> None:
        with self._lock:
            self._streams[place] -= 1
