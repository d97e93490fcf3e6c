"""Ready-made behaviour of a target in Handoff Mode."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Union

from ..errors import MacpAckError, MacpSessionError
from ..handoff.records import HandoffContextRecord, HandoffOfferRecord
from .answering_policies import AnsweringPolicies
from .context_wait import ContextClock, ContextWait
from .dispatcher import settled
from .handlers import HandlerContext, IncomingMessage
from .participant import Participant, Strategy


@dataclass(frozen=True)
class OfferedHandoff:
    """What a predicate decides on: the offer, and the contexts that have come so far."""

    handoff: HandoffOfferRecord
    """The offer."""
    contexts: tuple[HandoffContextRecord, ...]
    """What came with it, oldest first."""
    waited: str = "stopped"
    """`context`: context came, and then nothing new for a while. `stopped`: none came in time, or none was waited for."""


HandoffPredicate = Callable[[OfferedHandoff], Union[bool, Awaitable[bool]]]
_NO_WAIT = ContextWait(first_ms=0, quiet_ms=0)


def accept_when(
    predicate: HandoffPredicate,
    *,
    reason: str = "",
    otherwise: str = "decline",
    decline_reason: str = "",
    after_context: bool = False,
    context: ContextWait = ContextWait(),
) -> Strategy:
    """Accepts the handoffs to which a predicate says yes.

    The others are declined, or with `otherwise="ignore"` left to somebody else until there is new context. The decision waits for the context that
    belongs to the offer, as `context` says; with `after_context` it is not taken before the first context has come.
    """
    if otherwise not in ("decline", "ignore"):
        raise MacpSessionError("otherwise", "must be decline or ignore")

    async def decide(offered: OfferedHandoff, handler: HandlerContext) -> None:
        if await settled(predicate(offered)):
            await _answer("accept", offered.handoff.handoff_id, reason, handler)
        elif otherwise == "decline":
            await _answer("decline", offered.handoff.handoff_id, decline_reason, handler)

    return _Answering(decide, context, after_context)


def decline_when_busy(is_busy: Callable[[], Union[bool, Awaitable[bool]]], *, reason: str = "busy") -> Strategy:
    """Declines while busy; install it before a strategy that accepts."""

    async def decide(offered: OfferedHandoff, context: HandlerContext) -> None:
        if await settled(is_busy()):
            await _answer("decline", offered.handoff.handoff_id, reason, context)

    return _Answering(decide, _NO_WAIT)


@dataclass
class _Pending:
    """A decision that waits for its context."""

    clock: ContextClock
    timer: asyncio.Task[None] | None = None


class _Answering:
    """Decides once on each offer to a participant, when its context has had its time."""

    def __init__(
        self,
        decide: Callable[[OfferedHandoff, HandlerContext], Awaitable[None]],
        wait: ContextWait,
        after_context: bool = False,
    ) -> None:
        self._decide = decide
        self._wait = wait
        self._after_context = after_context

    def install(self, participant: Participant) -> None:
        waiting: dict[str, _Pending] = {}
        policies = AnsweringPolicies(participant.client, participant._auth)

        async def heard(message: IncomingMessage, context: HandlerContext) -> None:
            handoff_id = (message.payload or {}).get("handoff_id", "")
            # New context asks a predicate again that has left the offer to others.
            begins = message.message_type == "HandoffContext" or not self._after_context
            if begins and handoff_id not in waiting and _open_offer(handoff_id, context) is not None:
                waiting[handoff_id] = _Pending(ContextClock(await self._wait_of(context, policies)))
            if handoff_id in waiting:
                await look(handoff_id, context)

        async def look(handoff_id: str, context: HandlerContext) -> None:
            pending = waiting[handoff_id]
            if pending.timer is not None and pending.timer is not asyncio.current_task():
                pending.timer.cancel()
            handoff = _open_offer(handoff_id, context)
            contexts = tuple(context.projection.contexts.get(handoff_id, ()))
            pending.clock.saw(len(contexts))
            left = pending.clock.left()
            # An envelope that is handed in from outside is decided on at once: nobody would come back to it.
            if handoff is not None and left > 0 and participant.is_running:
                pending.timer = participant.after(left, lambda: look(handoff_id, context))
                return
            del waiting[handoff_id]
            if handoff is not None:
                await self._decide(OfferedHandoff(handoff, contexts, pending.clock.waited), context)

        participant.on("HandoffOffer", heard)
        if self._wait != _NO_WAIT:
            participant.on("HandoffContext", heard)

    async def _wait_of(self, context: HandlerContext, policies: AnsweringPolicies) -> ContextWait:
        if self._wait == _NO_WAIT or not context.participant.is_running:
            return _NO_WAIT
        start = context.projection.session_start
        return self._wait.within(await policies.answers_ms(start.policy_version if start else ""))


def _open_offer(handoff_id: str, context: HandlerContext) -> HandoffOfferRecord | None:
    """The offer, while the participant may answer it; two strategies do not both."""
    handoff: HandoffOfferRecord | None = context.projection.get_handoff(handoff_id)
    participant = context.participant
    if handoff is None or handoff.target_participant != participant.participant_id:
        return None
    answered = handoff.disposition != "offered" or handoff_id in _answered(participant)
    return None if answered else handoff


def _answered(participant: Participant) -> set[str]:
    answered: set[str] = participant.__dict__.setdefault("_answered", set())
    return answered


async def _answer(verb: str, handoff_id: str, reason: str, context: HandlerContext) -> None:
    _answered(context.participant).add(handoff_id)
    say = context.session.accept_handoff if verb == "accept" else context.session.decline
    # The id follows from the handoff: an agent that is started again repeats its answer instead of giving another.
    message_id = f"{verb}:{context.participant.participant_id}:{handoff_id}"
    await unless_moved_on(lambda: say(handoff_id, reason=reason, message_id=message_id), context)


async def unless_moved_on(act: Callable[[], Awaitable[Any]], context: HandlerContext) -> None:
    """While the history is replayed, an answer may come too late; the stream then shows what happened instead."""
    try:
        await act()
    except MacpAckError as error:
        if error.code not in ("INVALID_ENVELOPE", "SESSION_NOT_OPEN"):
            raise
        context.log.info("the session has moved on: %s", error)
