"""What a worker gives to a decision and to those who listen, and what a decision answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Union

from ...errors import MacpSessionError
from ...handoff.open_offer import OpenOffer


@dataclass(frozen=True)
class WorkerOffer(OpenOffer):
    """An offer to decide on."""

    frozen_context: bytes | None
    """The context of the session's start."""
    attempt: int
    """1, and more after a decision that failed or whose answer was not acknowledged."""
    waited: str
    """`context`: context came, and then nothing new for a while. `stopped`: none came in time, and none is waited for."""
    _over: asyncio.Event = field(repr=False, compare=False)

    @property
    def is_over(self) -> bool:
        """True when no answer is wanted any more: somebody else answered, or the session has ended."""
        return self._over.is_set()

    async def until_over(self) -> None:
        """Returns when no answer is wanted any more; for decisions that take long."""
        await self._over.wait()


@dataclass(frozen=True)
class Decision:
    """Yes or no, with a reason for the record."""

    accept: bool
    """Yes or no."""
    reason: str = ""
    """What the record says beside it."""


Decided = Union[bool, Decision, None]
Decide = Callable[[WorkerOffer], Union[Decided, Awaitable[Decided]]]


@dataclass(frozen=True)
class AnsweredOffer:
    """An answer that the server has accepted."""

    offer: WorkerOffer
    """The offer as the decision saw it."""
    accept: bool
    """Whether it was taken."""
    reason: str
    """What was said with the answer."""
    seen_contexts: int
    """How many contexts the decision saw."""
    unseen: int
    """How many came before the answer without being seen: more kept coming, or one came with the answer."""
    attempt: int
    """Which attempt it was."""
    duplicate: bool
    """The server had this answer already: its acknowledgement was lost, or another worker of this agent gave it."""


@dataclass(frozen=True)
class WorkerFailure:
    """Something that went wrong with one offer; the worker goes on."""

    error: Exception
    """What was raised, by the decision or by a call."""
    session_id: str
    """In which session."""
    handoff_id: str
    """On which offer."""
    attempt: int
    """Which attempt failed; 1 when none had begun."""
    retry_in_ms: float | None
    """When it is tried again; None when this worker leaves the offer to others."""


@dataclass(frozen=True)
class WorkerStats:
    """What a worker is at, and what it has done since it was started."""

    sessions: int
    """Open sessions in which an offer to the agent is, or may come."""
    followed: int
    """How many of them are followed by streams; the others are looked at in turn."""
    waiting: int
    """Offers whose turn has not come."""
    deciding: int
    """Decisions that run now."""
    decisions: int
    """How often `decide` was called."""
    accepted: int
    """Offers that this worker has accepted."""
    declined: int
    """Offers that it has declined."""
    failures: int
    """How often a decision or an answer failed."""


class DecisionError(Exception):
    """The decision ended with an error, or its answer is none that the server takes."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def read_decision(value: Any) -> Decision | None:
    """What a decision answered; raises for anything else than it may."""
    if value is None:
        return None
    if isinstance(value, Decision):
        if not isinstance(value.accept, bool):
            raise MacpSessionError("accept", f"of a Decision must be True or False, not {type(value.accept).__name__}")
        if not isinstance(value.reason, str):
            raise MacpSessionError("reason", f"of a Decision must be a text, not {type(value.reason).__name__}")
        return value
    if isinstance(value, bool):
        return Decision(value)
    raise MacpSessionError("decide", f"must answer True, False, Decision(...) or None, not {type(value).__name__}")
