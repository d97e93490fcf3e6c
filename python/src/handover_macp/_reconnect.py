"""When a broken stream is opened again: only after a failure that can pass, with waits that grow."""

from __future__ import annotations

import random
from dataclasses import dataclass

from .errors import MacpSdkError, MacpTransportError
from .retry import may_pass


# A server may ask for more than a thread can wait.
_LONGEST_ASKED = 2_000_000.0


@dataclass(frozen=True)
class ReconnectPolicy:
    """How a broken stream is taken up again: waits double from `backoff_base` to `backoff_max` seconds."""

    max_attempts: int | None = None
    """Failures in a row after which the stream ends; None means never. Whatever arrives resets the count."""
    backoff_base: float = 0.1
    backoff_max: float = 5.0


class Reconnects:
    """Counts failures in a row and says how long to wait before the next attempt."""

    def __init__(self, policy: ReconnectPolicy) -> None:
        self._policy = policy
        self._failures = 0

    @property
    def waits(self) -> bool:
        """Whether to let gRPC wait until the server is back; it notices that sooner than repeated attempts would."""
        return self._failures > 0 and self._policy.max_attempts is None

    def arrived(self) -> None:
        """Something came: the connection works."""
        self._failures = 0

    def delay(self, error: MacpSdkError | None) -> float | None:
        """Seconds to wait after a connection ended, or None to give up."""
        if error is not None and not _passes(error):
            return None
        self._failures += 1
        if self._policy.max_attempts is not None and self._failures > self._policy.max_attempts:
            return None
        longest = min(self._policy.backoff_base * 2 ** min(self._failures - 1, 30), self._policy.backoff_max)
        # Chance keeps many clients from coming back at the same moment.
        asked = min((error.retry_after_ms or 0) / 1000, _LONGEST_ASKED) if error is not None else 0.0
        return max(asked, float(longest * random.uniform(0.75, 1)))


def _passes(error: MacpSdkError) -> bool:
    return isinstance(error, MacpTransportError) and (may_pass(error) or error.code == "CANCELLED")
