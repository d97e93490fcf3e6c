"""The time that a call may take with everything that belongs to it: attempts, waits, and calls that it needs first."""

from __future__ import annotations

import time

_SHORTEST = 0.001


class Deadline:
    """Begins when it is first asked: a call of asyncio may be awaited long after it was made."""

    def __init__(self, seconds: float | None, strict: bool = True) -> None:
        self._seconds = seconds
        self._strict = strict
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

    def gives(self, seconds: float) -> bool:
        """Whether the server may be given the wait that it asks for; on top, where nobody has set the time of this call."""
        if self._strict:
            return self.allows(seconds)
        if self._seconds is not None and self.left is not None:
            self._ends = (self._ends or 0) + seconds
        return True

    def allows(self, seconds: float) -> bool:
        """Whether something is left after waiting so long."""
        left = self.left
        return left is None or left - _SHORTEST > seconds
