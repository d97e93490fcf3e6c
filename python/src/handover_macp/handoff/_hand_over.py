"""A whole handoff in one call, and the wait for its answer: what both kinds of sessions share.

Message ids follow from the handoff, so a process that is started again under the same session id repeats its messages and
adds none. That a session expires is in no envelope: while nothing comes the server is asked, less and less often.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

from .._refused import because
from ..errors import MacpSdkError, MacpSessionEndedError, MacpSessionError, MacpTimeoutError, Refusal
from ..validation import validate_id, validate_number, validate_text
from .content import encode_context
from .projection import HandoffProjection
from .records import HandoffOfferRecord

TEN_MINUTES_MS = 600_000
_FIRST_LOOK_SECONDS = 1.0
_LONGEST_LOOK_SECONDS = 5.0


@dataclass(frozen=True)
class HandOver:
    """The messages of one handoff, checked before any is sent."""

    start: dict[str, Any]
    offer: dict[str, Any]
    context: dict[str, Any] | None
    commit: dict[str, Any]

    @property
    def handoff_id(self) -> str:
        """The id of the offer."""
        return str(self.offer["handoff_id"])


def plan_hand_over(
    session_id: str,
    target: str,
    content: Any,
    scope: str,
    reason: str,
    content_type: str | None,
    handoff_id: str | None,
    ttl_ms: int,
) -> HandOver:
    """What to send, with the ids that follow from the handoff."""
    validate_id("target", target)
    name = f"to:{target}" if handoff_id is None else handoff_id
    ids = {"handoff_id": validate_id("handoff_id", name)}
    intent = scope or reason or f"handoff to {target}"
    start = {"intent": intent, "participants": [target], "ttl_ms": ttl_ms, "message_id": f"start:{session_id}"}
    offer = {**ids, "target_participant": target, "scope": scope, "reason": reason, "message_id": f"offer:{name}"}
    context = None
    if content is not None:
        kind, data = encode_context(content, content_type)
        context = {**ids, "content_type": kind, "context": data, "message_id": f"context:{name}"}
    commit = {"message_id": f"commit:{session_id}", "commitment_id": f"commit:{session_id}"}
    return HandOver(start, offer, context, commit)


class AnswerWait:
    """How far a wait for an answer is; does no I/O."""

    def __init__(self, projection: HandoffProjection, handoff_id: str, timeout: float | None) -> None:
        self._handoff_id = validate_text("handoff_id", handoff_id)
        if timeout is not None and not validate_number("timeout", timeout) > 0:
            raise MacpSessionError("timeout", "must be above 0")
        self._projection = projection
        self._timeout = timeout
        self._ends = None if timeout is None else time.monotonic() + timeout
        self._look = _FIRST_LOOK_SECONDS
        self.refused: MacpSdkError | None = None
        """Why there is no stream, where the server allows no more."""

    def answered(self) -> HandoffOfferRecord | None:
        """The offer once it is answered; raises when the session has ended without."""
        offer = self._projection.get_handoff(self._handoff_id)
        if offer is not None and offer.disposition != "offered":
            return offer
        state = self._projection.session_state
        if state in ("CANCELLED", "RESOLVED"):
            raise self._unanswered(state)
        return None

    def last_word(self, state: str) -> HandoffOfferRecord:
        """The answered offer of a session that has ended; raises when there is none."""
        offer = self.answered()
        if offer is None:
            raise self._unanswered(state)
        return offer

    def _unanswered(self, state: str) -> MacpSdkError:
        problem = f"the session is {state}: there will be no answer to {self._handoff_id}"
        return MacpSessionEndedError(problem, state, Refusal(session_id=self._projection.session_id))

    def seconds(self) -> float:
        """How long to wait before the server is asked; raises when the time is over."""
        # Chance keeps many waits from asking at the same moment.
        pause = self._look * random.uniform(0.5, 1)
        self._look = min(self._look * 2, _LONGEST_LOOK_SECONDS)
        if self._ends is None:
            return pause
        left = self._ends - time.monotonic()
        if left <= 0:
            problem = f"no answer to {self._handoff_id} within {self._timeout} s{because(self.refused)}"
            raise MacpTimeoutError(problem, Refusal(session_id=self._projection.session_id))
        return min(pause, left)

    def most(self, seconds: float) -> float:
        """So long, or what is left of the time."""
        return seconds if self._ends is None else max(0.001, min(seconds, self._ends - time.monotonic()))

    def heard(self) -> None:
        """Something came: the session lives."""
        self._look = _FIRST_LOOK_SECONDS
