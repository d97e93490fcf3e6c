"""Sending again. The same envelope goes out each time, so that a second arrival is a duplicate and not a repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._deadline import Deadline
from ._effects import Operation, Sleep
from .auth import AuthConfig
from .errors import (
    MacpAckError,
    MacpConnectionError,
    MacpRetryError,
    MacpTooLargeError,
    MacpTransportError,
    Refusal,
)
from .models import Ack, Envelope

if TYPE_CHECKING:
    from .client import MacpClient

# A status says whether trying again can help; a wrong credential or a malformed request stays wrong.
RETRYABLE_STATUS = frozenset(
    {"UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "ABORTED", "INTERNAL", "UNKNOWN"}
)

# So many come back at the same time that each may have to wait more than once; still, a call ends.
_MOST_ASKED_WAITS = 20


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how soon to try again; waits double from `backoff_base` to `backoff_max` seconds.

    Where the server says how long to wait, that is waited, up to `longest_wait` seconds, and uses up no retry; on top of
    the client's `default_timeout`, but within the `timeout` of a call that has one of its own.
    """

    max_retries: int = 3
    """How often, after the first attempt."""
    backoff_base: float = 0.1
    backoff_max: float = 2.0
    longest_wait: float = 60.0
    retryable_codes: frozenset[str] = field(default_factory=lambda: frozenset({"RATE_LIMITED", "INTERNAL_ERROR"}))
    """The refusals that may pass; a connection that fails always may."""

    def delay(self, attempt: int) -> float:
        """The wait after the attempt with this number, counted from 0."""
        return float(min(self.backoff_base * 2 ** min(attempt, 30), self.backoff_max))


def retry_send(
    client: MacpClient, envelope: Envelope, *, policy: RetryPolicy | None = None, auth: AuthConfig | None = None
) -> Ack:
    """Sends one envelope, again if need be, always under the same message id. Same as `client.retry_send`."""
    return client.retry_send(envelope, policy=policy, auth=auth)


def retrying(
    send: Callable[[float | None], Operation[Ack]], policy: RetryPolicy, deadline: Deadline
) -> Operation[Ack]:
    """Runs `send` until it succeeds, fails for good, or the policy or the time is used up.

    `send` is given the seconds that are left. A server that says how long to wait is not asked again before.
    """
    retries = waits = 0
    most_waits = _MOST_ASKED_WAITS if policy.max_retries > 0 else 0
    while True:
        try:
            return (yield from send(deadline.left))
        except (MacpAckError, MacpTransportError) as error:
            asked = (error.retry_after_ms or 0) / 1000
            if not _can_help(error, policy) or asked > policy.longest_wait:
                raise
            pause = max(policy.delay(retries + waits), asked)
            retries, waits = (retries, waits + 1) if asked else (retries + 1, waits)
            if retries > policy.max_retries or waits > most_waits:
                raise _gave_up(error, retries + waits) from error
            if not (deadline.gives(pause) if asked else deadline.allows(pause)):
                raise
        yield Sleep(pause)


def _gave_up(error: MacpAckError | MacpTransportError, attempts: int) -> MacpRetryError:
    refusal = Refusal(
        error.macp_code, error.session_id, error.message_id, error.reasons, error.denials, error.retry_after_ms
    )
    return MacpRetryError(f"gave up after {attempts} attempts: {error}", error.code, attempts, refusal)


def _can_help(error: MacpAckError | MacpTransportError, policy: RetryPolicy) -> bool:
    if isinstance(error, MacpAckError):
        return error.code != "UNAUTHENTICATED" and error.code in policy.retryable_codes
    return may_pass(error)


def may_pass(error: MacpTransportError) -> bool:
    """Whether the same call may succeed later."""
    if isinstance(error, (MacpConnectionError, MacpTooLargeError)):
        return False
    return error.code in RETRYABLE_STATUS
