"""A server lets an identity listen to so many streams: what is refused beyond that is tried again, and told once a minute."""

from __future__ import annotations

import logging
import time

from .errors import MacpSdkError

log = logging.getLogger("handover_macp")

_TOLD_EVERY_SECONDS = 60.0
_told_at = float("-inf")


def tell_of_cut(name: str, error: MacpSdkError | None, delay: float) -> None:
    """A line for each stream that is cut, but one for all that are refused at the same time."""
    global _told_at
    level = logging.WARNING
    if is_refused(error):
        now = time.monotonic()
        if now - _told_at < _TOLD_EVERY_SECONDS:
            level = logging.DEBUG
        else:
            _told_at = now
    log.log(level, "stream %s ended (%s), again in %.1f s", name, error, delay)


def is_refused(error: MacpSdkError | None) -> bool:
    """Whether there are too many streams."""
    return error is not None and error.macp_code == "RATE_LIMITED"


def because(error: MacpSdkError | None) -> str:
    """The end of a sentence about something that did not come."""
    return "" if error is None else f"; the last failure: {error}"
