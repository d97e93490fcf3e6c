"""How long a decision waits for the context that belongs to it.

An owner offers first and sends the context after that, so whoever decides at the offer decides without it.

C1. Without any context the decision is due `first_ms` after the offer was seen, and has `stopped` waiting.
C2. With context it is due when nothing new came for `quiet_ms`; an owner who never stops is waited for no longer than
    `first_ms` after the first one.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from ..models import PolicyDescriptor
from ..validation import validate_number


@dataclass(frozen=True)
class ContextWait:
    """How long to wait for context before a decision, in milliseconds."""

    first_ms: float = 2_000
    """For the first context, after the offer was seen; 0 waits for nothing."""
    quiet_ms: float = 150
    """For one more after each."""

    def __post_init__(self) -> None:
        validate_number("context.first_ms", self.first_ms, 0)
        validate_number("context.quiet_ms", self.quiet_ms, 0)

    def within(self, policy_answers_ms: int) -> ContextWait:
        """The same where a policy answers in the target's name after a time (0: never): it must not come first."""
        if policy_answers_ms == 0:
            return self
        most = policy_answers_ms / 4
        return ContextWait(min(self.first_ms, most), min(self.quiet_ms, most))


def policy_answers_ms(policy: PolicyDescriptor) -> int:
    """After how long the policy answers in a silent target's name; 0 when it never does."""
    try:
        rules = json.loads(policy.rules or "{}")
    except (ValueError, RecursionError):
        return 0
    groups = [rules.get(name) for name in ("acceptance", "x-handover.rules")] if isinstance(rules, dict) else []
    found = [
        value
        for group in groups
        if isinstance(group, dict)
        for name in ("implicit_accept_timeout_ms", "implicit_decline_timeout_ms")
        if isinstance(value := group.get(name), int) and value > 0
    ]
    return min(found, default=0)


class ContextClock:
    """Knows when a decision is due; `since` is the monotonic time at which the offer was seen."""

    def __init__(self, wait: ContextWait, since: float | None = None) -> None:
        self._first = wait.first_ms / 1000
        self._quiet = wait.quiet_ms / 1000
        self._since = time.monotonic() if since is None else since
        self._count = 0
        self._first_at = 0.0
        self._last_at = 0.0

    @property
    def waited(self) -> str:
        """What ended the wait: `context` that came, or `stopped`."""
        return "context" if self._count else "stopped"

    def saw(self, count: int) -> None:
        """Takes note of how many contexts there are by now."""
        if count <= self._count:
            return
        self._last_at = time.monotonic()
        if self._count == 0:
            self._first_at = self._last_at
        self._count = count

    def left(self) -> float:
        """Seconds until the decision is due; 0 or less when it is."""
        if self._count == 0:
            due = self._since + self._first
        else:
            due = min(self._last_at + self._quiet, self._first_at + max(self._first, self._quiet))
        return due - time.monotonic()
