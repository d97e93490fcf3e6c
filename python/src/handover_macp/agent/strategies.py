"""Ready-made behaviour of a target in Handoff Mode."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Union

from ..errors import MacpAckError, MacpSessionError
from ..handoff.records import HandoffContextRecord, HandoffOfferRecord
from .dispatcher import settled
from .handlers import HandlerContext, IncomingMessage
from .participant import Participant, Strategy


@dataclass(frozen=True)
class OfferedHandoff:
    """What a predicate decides on: the offer, and the contexts that have come so far."""

    handoff: HandoffOfferRecord
    contexts: tuple[HandoffContextRecord, ...]


HandoffPredicate = Callable[[OfferedHandoff], Union[bool, Awaitable[bool]]]


def accept_when(
    predicate: HandoffPredicate,
    *,
    reason: str = "",
    otherwise: str = "decline",
    decline_reason: str = "",
    after_context: bool = False,
) -> Strategy:
    """Accepts the handoffs to which a predicate says yes.

    The others are declined, or left to somebody else with `otherwise="ignore"`. With `after_context` the decision is taken
    when the first context has come, not at the offer.
    """
    if otherwise not in ("decline", "ignore"):
        raise MacpSessionError("otherwise", "must be decline or ignore")

    async def decide(offered: OfferedHandoff, context: HandlerContext) -> None:
        if await settled(predicate(offered)):
            await _answer("accept", offered.handoff.handoff_id, reason, context)
        elif otherwise == "decline":
            await _answer("decline", offered.handoff.handoff_id, decline_reason, context)

    return _Answering("HandoffContext" if after_context else "HandoffOffer", decide)


def decline_when_busy(is_busy: Callable[[], Union[bool, Awaitable[bool]]], *, reason: str = "busy") -> Strategy:
    """Declines while busy; install it before a strategy that accepts."""

    async def decide(offered: OfferedHandoff, context: HandlerContext) -> None:
        if await settled(is_busy()):
            await _answer("decline", offered.handoff.handoff_id, reason, context)

    return _Answering("HandoffOffer", decide)


class _Answering:
    def __init__(
        self, message_type: str, decide: Callable[[OfferedHandoff, HandlerContext], Awaitable[None]]
    ) -> None:
        self._message_type = message_type
        self._decide = decide

    def install(self, participant: Participant) -> None:
        participant.on(self._message_type, self._handle)

    async def _handle(self, message: IncomingMessage, context: HandlerContext) -> None:
        handoff_id = (message.payload or {}).get("handoff_id", "")
        handoff = context.projection.get_handoff(handoff_id)
        participant = context.participant
        if handoff is None or handoff.target_participant != participant.participant_id:
            return
        # Two strategies do not both answer.
        if handoff.disposition != "offered" or handoff_id in _answered(participant):
            return
        contexts = tuple(context.projection.contexts.get(handoff_id, ()))
        await self._decide(OfferedHandoff(handoff, contexts), context)


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
