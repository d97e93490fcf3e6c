"""The turn of one offer: its context is waited for, the decision is made, and the answer is sent.

T1. Before the answer the session is looked at once more. Context that the decision has not seen makes it again, at most
    three times; then the answer goes out and says how much was not seen.
T2. The id of the answer follows from session, handoff and agent, for an acceptance and a decline alike: the server takes one of them.
T3. An answer that finds the offer answered, or the session ended, is no error: whoever was first counts.
T4. A server that asks to wait is not asked before.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Union

from ..._reconnect import ReconnectPolicy
from ...aio import AsyncHandoffSession, AsyncMacpClient, AsyncMacpStream
from ...auth import AuthConfig
from ...errors import MacpAckError, MacpSdkError, MacpTransportError
from ...handoff.open_offer import is_gone, offered_at, waiting_for
from ...handoff.records import HandoffOfferRecord
from ...models import Ack
from ...retry import may_pass
from ..context_wait import ContextClock, ContextWait
from .known import Known
from .records import AnsweredOffer, Decision, DecisionError, WorkerOffer

_MOST_REPETITIONS = 3
_OWN_ANSWER_SECONDS = 1.0
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_READ_SECONDS = 30.0
_ONCE = ReconnectPolicy(max_attempts=0)


class _StoppedError(Exception):
    """The worker stops while the turn waits for the server."""


@dataclass(frozen=True)
class Over:
    """No answer of this worker is wanted any more."""


@dataclass(frozen=True)
class Suspended:
    """No answer is taken until the session goes on."""


@dataclass(frozen=True)
class Left:
    """The decision gave no answer, having seen so many contexts."""

    contexts: int
    sequence: int


@dataclass(frozen=True)
class Stopped:
    """The worker stopped before an answer was sent."""


Outcome = Union[AnsweredOffer, Over, Suspended, Left, Stopped]
Ask = Callable[[WorkerOffer], Awaitable[Union[Decision, None]]]


def answer_id(session_id: str, handoff_id: str, agent: str) -> str:
    """The message id of an agent's answer: the same for both answers, and in both languages."""
    named = json.dumps([session_id, handoff_id, agent], ensure_ascii=False, separators=(",", ":"))
    return f"answer:{hashlib.sha256(named.encode()).hexdigest()[:32]}"


class Turn:
    """One offer, from its context to its answer."""

    def __init__(
        self,
        client: AsyncMacpClient,
        agent: str,
        auth: AuthConfig | None,
        known: Known,
        wait: ContextWait,
        stopping: asyncio.Event,
        make_room: Callable[[], None],
    ) -> None:
        self._agent = agent
        self._make_room = make_room
        self._known = known
        self._handoff_id = known.handoff_id
        self._stopping = stopping
        self._session = AsyncHandoffSession(client, known.session_id, auth=auth)
        # The stream alone says what was first: the answer, or a context.
        self._session._core.applies_own = False
        self._wait = wait
        self._answer_id = answer_id(known.session_id, known.handoff_id, agent)
        self._clock = ContextClock(wait, known.found_at)
        self._news = asyncio.Event()
        self._failures = 0
        self.over = asyncio.Event()

    async def run(self, attempt: Callable[[], int], ask: Ask) -> Outcome:
        """Decides and answers. `attempt` counts one when the decision begins."""
        try:
            await self._look()
            async with self._session.open_stream(after_sequence=self._session.projection.last_sequence) as stream:
                reading = asyncio.create_task(self._read(stream))
                try:
                    return await self._answered(attempt, ask)
                finally:
                    reading.cancel()
                    await asyncio.gather(reading, return_exceptions=True)
        except _StoppedError:
            return Stopped()
        except MacpSdkError as error:
            if is_gone(error):
                return Over()
            raise

    async def _look(self) -> None:
        """Reads what has been accepted by now; a server that is away or busy is waited for."""
        while True:
            try:
                after = self._session.projection.last_sequence
                async with self._session.open_stream(after_sequence=after, reconnect=_ONCE) as stream:
                    stream.finish()
                    while await stream.read(_READ_SECONDS) is not None:
                        pass
                self._failures = 0
                return
            except MacpTransportError as error:
                if error.code == "RESOURCE_EXHAUSTED":
                    self._make_room()
                await self._wait_after(error)
                if self.over.is_set():
                    return

    async def _wait_after(self, error: MacpSdkError) -> None:
        """Until a call that failed may be made again; raises when it may not, or the worker stops."""
        if isinstance(error, MacpTransportError) and not may_pass(error):
            raise error
        if self._stopping.is_set():
            raise _StoppedError
        longest = min(_FIRST_PAUSE * 2**self._failures, _LONGEST_PAUSE)
        self._failures = min(self._failures + 1, 30)
        # Chance keeps many workers from coming back at the same moment.
        seconds = max((error.retry_after_ms or 0) / 1000, longest * random.uniform(0.75, 1))
        await self._pause(seconds, self.over, self._stopping)

    async def _read(self, stream: AsyncMacpStream) -> None:
        async for _ in stream:
            if self._waiting() is None:
                self.over.set()
            self._news.set()

    def end(self) -> None:
        """The session has ended in a way that no envelope tells."""
        self.over.set()
        self._news.set()

    def _waiting(self) -> HandoffOfferRecord | None:
        offer = waiting_for(self._agent, self._session.projection)
        return offer if offer is not None and offer.handoff_id == self._handoff_id else None

    @property
    def _contexts(self) -> int:
        return len(self._session.projection.contexts.get(self._handoff_id, ()))

    async def _answered(self, attempt: Callable[[], int], ask: Ask) -> Outcome:
        self._clock.saw(self._contexts)
        # What had its time while it waited for its turn is not waited for again.
        if time.monotonic() < self._known.found_at + self._wait.first_ms / 1000:
            await self._wait_for_context()
        ended = self._ended()
        if ended is not None:
            return ended
        if self._stopping.is_set():
            return Stopped()
        number = attempt()
        for repetition in range(_MOST_REPETITIONS + 1):
            offer, sequence = self._offer(number), self._session.projection.last_sequence
            decision = await ask(offer)
            if decision is None:
                return self._ended() or Left(len(offer.contexts), sequence)
            sent = await self._send(offer, decision, repeatable=repetition < _MOST_REPETITIONS)
            if sent is not None:
                return sent
            await self._wait_for_context()
        raise AssertionError("unreachable")

    def _offer(self, attempt: int) -> WorkerOffer:
        projection, record = self._session.projection, self._session.projection.offers[self._handoff_id]
        return WorkerOffer(
            session_id=self._session.session_id,
            handoff_id=record.handoff_id,
            owner=record.offered_by,
            scope=record.scope,
            reason=record.reason,
            contexts=tuple(projection.contexts.get(record.handoff_id, ())),
            offered_at_unix_ms=offered_at(projection, record.handoff_id),
            expires_at_unix_ms=self._known.expires_at_unix_ms,
            frozen_context=projection.frozen_context,
            attempt=attempt,
            waited=self._clock.waited,
            _over=self.over,
        )

    def _ended(self) -> Over | Suspended | None:
        if self.over.is_set() or self._waiting() is None:
            self.over.set()
            return Over()
        return Suspended() if self._session.projection.session_state == "SUSPENDED" else None

    async def _wait_for_context(self) -> None:
        while not (self.over.is_set() or self._stopping.is_set()):
            self._clock.saw(self._contexts)
            left = self._clock.left()
            if left <= 0:
                return
            await self._pause(left, self._news, self.over, self._stopping)

    async def _pause(self, seconds: float, *events: asyncio.Event) -> None:
        """Until the time is over, or one of the events comes."""
        self._news.clear()
        tasks = [asyncio.create_task(event.wait()) for event in events]
        try:
            await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self, offer: WorkerOffer, decision: Decision, repeatable: bool) -> Outcome | None:
        """Sends the answer; None when the decision must be made again, for context that it has not seen."""
        sent = False
        while True:
            await self._look()
            try:
                ended = self._ended()
                if ended is not None:
                    return (self._own_answer(offer, decision) if sent else None) or ended
                if repeatable and self._contexts > len(offer.contexts):
                    return None
                sent = True
                ack = await self._say(decision)
                return await self._record(offer, decision, ack)
            except MacpAckError as error:
                if error.code in ("INVALID_ENVELOPE", "SESSION_NOT_OPEN"):
                    return await self._refused(error)
                if error.code not in ("RATE_LIMITED", "INTERNAL_ERROR"):
                    raise DecisionError(error) from error
                await self._wait_after(error)
            except MacpTransportError as error:
                await self._wait_after(error)

    def _say(self, decision: Decision) -> Awaitable[Ack]:
        say = self._session.accept_handoff if decision.accept else self._session.decline
        return say(self._handoff_id, reason=decision.reason, message_id=self._answer_id)

    async def _refused(self, error: MacpAckError) -> Outcome:
        """Somebody else was first, or the session is not open; else the answer itself is wrong."""
        await self._look()
        ended = self._ended()
        if ended is not None:
            return ended
        if error.code == "SESSION_NOT_OPEN":
            state = (await self._session.metadata()).state
            if state != "OPEN":
                return Suspended() if state == "SUSPENDED" else Over()
        raise DecisionError(error) from error

    async def _record(self, offer: WorkerOffer, decision: Decision, ack: Ack) -> AnsweredOffer:
        """The stream says what came before the answer."""
        deadline = time.monotonic() + _OWN_ANSWER_SECONDS
        while self._waiting() is not None and time.monotonic() < deadline:
            await self._pause(deadline - time.monotonic(), self._news)
        return self._told(offer, decision, ack.duplicate)

    def _own_answer(self, offer: WorkerOffer, decision: Decision) -> AnsweredOffer | None:
        """The answer, where it was accepted and the acknowledgement was lost."""
        ids = {envelope.message_id for envelope in self._session.projection.transcript}
        if self._answer_id not in ids:
            return None
        same = self._session.projection.is_accepted(self._handoff_id) == decision.accept
        return self._told(offer, decision, True) if same else None

    def _told(self, offer: WorkerOffer, decision: Decision, duplicate: bool) -> AnsweredOffer:
        contexts = self._session.projection.contexts.get(self._handoff_id, ())
        seen = len(offer.contexts)
        unseen = max(sum(not context.late for context in contexts) - seen, 0)
        return AnsweredOffer(offer, decision.accept, decision.reason, seen, unseen, offer.attempt, duplicate)
