"""The time that a call may take with everything that belongs to it: attempts, waits, and calls that it needs first."""

from __future__ import annotations

import time

_SHORTEST = 0.001


class Deadline:
    """Begins when it is first asked: a call of asyncio may be awaited long after it was made."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._ends: float | None = None

    @property
    def left(self) -> float | None:
        """Seconds that are left; None without a limit. When none are, the shortest time, so that the call says so."""
        if self._seconds is None:
            return None
        now = time.monotonic()
        if self._ends is None:
            self._ends = now + self._seconds
        return max(_SHORTEST, self._ends - now)

    def allows(self, seconds: float) -> bool:
        """Whether something is left after waiting so long."""
        left = self.left
        return left is None or left - _SHORTEST > seconds
