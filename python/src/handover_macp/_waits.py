"""How many waits for an answer of one client have a stream of their own.

A server lets an identity listen to so many, and the program wants some for itself; the other waits ask now and then.
"""

from __future__ import annotations

import threading

FOLLOWED = 16


class Waits:
    """The places with a stream; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free = FOLLOWED

    def take(self) -> bool:
        """Whether the wait gets a stream; `leave` gives it back."""
        with self._lock:
            if self._free == 0:
                return False
            self._free -= 1
            return True

    def leave(self) -> None:
        """Somebody else may have the stream."""
        with self._lock:
            self._free += 1
