"""When a broken stream is opened again: only after a failure that can pass, and a bounded number of times in a row."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import MacpTransportError
from .retry import RETRYABLE_STATUS

_PASSING = RETRYABLE_STATUS | {"CANCELLED"}


@dataclass(frozen=True)
class ReconnectPolicy:
    """How a broken stream is taken up again: waits double from `backoff_base` to `backoff_max` seconds."""

    max_attempts: int = 10
    """Failures in a row after which the stream ends; an arriving item, or a connection that held, resets the count."""
    backoff_base: float = 0.1
    backoff_max: float = 5.0


class Reconnects:
    """Counts failures in a row and says how long to wait before the next attempt."""

    def __init__(self, policy: ReconnectPolicy) -> None:
        self._policy = policy
        self._failures = 0

    def arrived(self) -> None:
        """Something came: the connection works."""
        self._failures = 0

    def delay(self, error: MacpTransportError | None, lived_seconds: float) -> float | None:
        """Seconds to wait after a connection ended, or None to give up."""
        if error is not None and error.code not in _PASSING:
            return None
        if lived_seconds >= self._policy.backoff_max:
            self._failures = 0
        self._failures += 1
        if self._failures > self._policy.max_attempts:
            return None
        return float(min(self._policy.backoff_base * 2 ** (self._failures - 1), self._policy.backoff_max))
