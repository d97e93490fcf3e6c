"""One process that answers the offers to an agent.

W1. Every offer that waits is decided on, old and new; sessions that have ended are not read and call nobody.
W2. Each is answered once, also over restarts and by several workers of one agent; whose answer was first counts.
W3. A decision is told of the context that was sent before the answer, or that it does not wait for any.
W4. A decision that fails is made again after a while. With a journal its attempts are counted over restarts.
W5. At most `concurrency` decisions are made at a time. An offer that waits for its turn costs a few numbers.
W6. It ends with `stop`, or when `run` is cancelled; nothing is left behind then, and nothing is logged.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Union

from ..._reconnect import ReconnectPolicy
from ...aio import AsyncMacpClient
from ...auth import AuthConfig
from ...errors import MacpClosedError, MacpSdkError
from ...handoff.open_offer import agent_of
from ...validation import validate_integer, validate_kind, validate_number
from ..answering_policies import AnsweringPolicies
from ..context_wait import ContextWait
from ..dispatcher import settled
from .asking import Asking
from .journal import MemoryJournal, WorkerJournal
from .journal_start import forget_what_ended
from .known import Known
from .lookout import Lookout
from .records import AnsweredOffer, Decide, DecisionError, WorkerFailure, WorkerStats
from .turn import Left, Outcome, Stopped, Suspended, Turn

log = logging.getLogger("handover_macp")

OnAnswered = Callable[[AnsweredOffer], Union[Awaitable[Any], Any]]
OnError = Callable[[WorkerFailure], Union[Awaitable[Any], Any]]

_SUSPENDED_AGAIN_SECONDS = 10.0


class HandoffWorker:
    """Answers all offers to an agent, one process for all sessions: `await worker.run()`.

    `decide` gets a `WorkerOffer` and answers True, False, `Decision(accept, reason)`, or None, which leaves the offer. A
    coroutine function runs in the event loop; a plain function in a thread of its own, so it may block.
    """

    def __init__(
        self,
        client: AsyncMacpClient,
        decide: Decide,
        *,
        agent: str | None = None,
        auth: AuthConfig | None = None,
        concurrency: int = 4,
        context: ContextWait = ContextWait(),
        journal: WorkerJournal | None = None,
        retry: ReconnectPolicy = ReconnectPolicy(backoff_base=1.0, backoff_max=60.0),
        on_answered: OnAnswered | None = None,
        on_error: OnError | None = None,
        drain_ms: float = 10_000,
        streams: int = 16,
    ) -> None:
        validate_kind("client", client, AsyncMacpClient)
        self.agent = agent_of(agent, client.sender_hint(auth))
        self._auth, _ = client._core.identity(self.agent, auth)
        self._client = client
        self._concurrency = validate_integer("concurrency", concurrency, 1, 1_000)
        self._asking = Asking(decide, concurrency)
        self._wait = context
        self._journal: WorkerJournal = MemoryJournal() if journal is None else journal
        self._keeps_journal = journal is not None
        self._retry = _checked(retry)
        self._on_answered = on_answered
        self._on_error = on_error
        self._drain = validate_number("drain_ms", drain_ms, 0) / 1000
        self._policies = AnsweringPolicies(client, self._auth)
        self._lookout = Lookout(
            client,
            self.agent,
            self._auth,
            validate_integer("streams", streams, 1, 10_000),
            self._found,
            self._session_ended,
            self._session_resumed,
        )
        self._queue: asyncio.Queue[Known | None] = asyncio.Queue()
        self._turns: dict[str, Turn] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._offers: dict[str, Known] = {}
        self._stopping = asyncio.Event()
        self._running = False
        self._over = asyncio.Event()
        self._accepted = 0
        self._declined = 0
        self._failures = 0

    def stop(self) -> None:
        """Ends `run`: decisions that are being made may end first, for `drain_ms`."""
        self._stopping.set()

    def stats(self) -> WorkerStats:
        """What it does now, and has done."""
        return WorkerStats(
            sessions=len(self._lookout.known),
            followed=self._lookout.followed,
            waiting=self._queue.qsize() + len(self._timers),
            deciding=self._asking.running,
            decisions=self._asking.count,
            accepted=self._accepted,
            declined=self._declined,
            failures=self._failures,
        )

    async def run(self) -> None:
        """Runs until `stop`, or until the client is closed; raises when the server refuses the agent."""
        if self._running:
            raise MacpSdkError("a worker runs once: make a new one")
        self._running = True
        self._journal.open()
        try:
            if self._keeps_journal:
                await forget_what_ended(self._journal, self._client, self.agent, self._auth, self._stopping)
            await self._serve()
        finally:
            for timer in self._timers.values():
                timer.cancel()
            self._asking.close()
            self._journal.close()
            self._over.set()

    async def _serve(self) -> None:
        looking = asyncio.create_task(self._lookout.run())
        stopping = asyncio.create_task(self._stopping.wait())
        places = [asyncio.create_task(self._work()) for _ in range(self._concurrency)]
        try:
            await asyncio.wait({looking, stopping, *places}, return_when=asyncio.FIRST_COMPLETED)
            self._stopping.set()
            for _ in places:
                self._queue.put_nowait(None)  # Wakes those that have nothing to do.
            await asyncio.wait(places, timeout=self._drain)
        finally:
            # A place may have lost its cancellation, in a decision that caught it for one: it ends by this.
            self._stopping.set()
            self._asking.end()
            for task in (looking, stopping, *places):
                task.cancel()
            results = await asyncio.gather(looking, stopping, *places, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, MacpClosedError):
                raise result

    async def __aenter__(self) -> HandoffWorker:
        """For use with `async with`; `run` is called within."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops, and waits until `run` is over."""
        self.stop()
        if self._running:
            await self._over.wait()

    # Called by the lookout.

    def _found(self, known: Known) -> None:
        self._offers[known.session_id] = known
        self._queue.put_nowait(known)

    def _session_ended(self, session_id: str) -> None:
        known = self._offers.pop(session_id, None)
        self._cancel_timer(session_id)
        turn = self._turns.get(session_id)
        if turn is not None:
            turn.end()
        if known is not None:
            self._journal.end(session_id, known.handoff_id)

    def _session_resumed(self, session_id: str) -> None:
        if self._cancel_timer(session_id):
            self._queue.put_nowait(self._offers[session_id])

    def _cancel_timer(self, session_id: str) -> bool:
        timer = self._timers.pop(session_id, None)
        if timer is not None:
            timer.cancel()
        return timer is not None

    # One of these for each place.

    async def _work(self) -> None:
        while not self._stopping.is_set():
            known = await self._queue.get()
            if known is not None and not self._stopping.is_set():
                await self._take(known)

    async def _take(self, known: Known) -> None:
        wait = self._wait.within(await self._policies.answers_ms(known.policy_version))
        # The session may have ended while the offer waited.
        if not self._is_open(known):
            return
        if self._is_given_up(known):
            return await self._give_up(known, MacpSdkError("as many attempts as max_attempts allows have failed"))
        turn = Turn(self._client, self.agent, self._auth, known, wait, self._stopping, self._lookout.make_room)
        self._turns[known.session_id] = turn
        try:
            outcome = await turn.run(lambda: self._begin(known), self._asking.ask)
        except MacpClosedError:
            raise
        except Exception as error:
            await self._failure(known, error)
        else:
            await self._settle(known, outcome)
        finally:
            del self._turns[known.session_id]

    def _is_open(self, known: Known) -> bool:
        return self._offers.get(known.session_id) is known

    def _is_given_up(self, known: Known) -> bool:
        most = self._retry.max_attempts
        return most is not None and self._journal.attempts(known.session_id, known.handoff_id) >= most

    def _begin(self, known: Known) -> int:
        attempt = self._journal.attempts(known.session_id, known.handoff_id) + 1
        self._journal.begin(known.session_id, known.handoff_id, attempt)
        return attempt

    async def _settle(self, known: Known, outcome: Outcome) -> None:
        session_id = known.session_id
        if isinstance(outcome, Stopped) or not self._is_open(known):
            pass
        elif isinstance(outcome, Suspended):
            # Looked at now and then, too: the watch may have told of the end of the pause before.
            self._try_again(known, _SUSPENDED_AGAIN_SECONDS)
        elif isinstance(outcome, Left):
            del self._offers[session_id]
            known.sequence, known.contexts, known.left_at = outcome.sequence, outcome.contexts, outcome.contexts
            self._lookout.follow_again(known)
        else:
            self._lookout.forget(session_id)
            self._session_ended(session_id)
        if isinstance(outcome, AnsweredOffer):
            self._accepted += outcome.accept
            self._declined += not outcome.accept
            await self._tell(self._on_answered, outcome)

    async def _failure(self, known: Known, error: Exception) -> None:
        if not self._is_open(known):
            return  # It is over: nobody needs to know.
        known.failures += 1
        self._failures += 1
        cause = error.error if isinstance(error, DecisionError) else error
        # What fails on the way to a decision does not use up its attempts.
        if isinstance(error, DecisionError) and self._is_given_up(known):
            return await self._give_up(known, cause)
        longest = min(self._retry.backoff_base * 2 ** min(known.failures - 1, 30), self._retry.backoff_max)
        seconds = longest * random.uniform(0.75, 1)
        self._try_again(known, seconds)
        await self._report(known, cause, seconds * 1000)

    async def _give_up(self, known: Known, error: Exception) -> None:
        """The offer stays open, for a person or another worker."""
        await self._report(known, error, None)

    async def _report(self, known: Known, error: Exception, retry_in_ms: float | None) -> None:
        attempt = max(self._journal.attempts(known.session_id, known.handoff_id), 1)
        failure = WorkerFailure(error, known.session_id, known.handoff_id, attempt, retry_in_ms)
        await self._tell(self._on_error or _log_failure, failure)

    def _try_again(self, known: Known, seconds: float) -> None:
        if not self._stopping.is_set():
            loop = asyncio.get_running_loop()
            self._timers[known.session_id] = loop.call_later(seconds, self._again, known)

    def _again(self, known: Known) -> None:
        del self._timers[known.session_id]
        self._queue.put_nowait(known)

    async def _tell(self, listener: Callable[[Any], Any] | None, news: Any) -> None:
        """A listener that fails does not end the worker."""
        if listener is None:
            return
        try:
            await settled(listener(news))
        except Exception:
            log.exception("a listener of the worker failed")


def _log_failure(failure: WorkerFailure) -> None:
    again = failure.retry_in_ms
    log.warning(
        "the decision on %s of session %s failed, attempt %d: %r; %s",
        failure.handoff_id,
        failure.session_id,
        failure.attempt,
        failure.error,
        "it is left to others" if again is None else f"again in {again / 1000:.1f} s",
    )


def _checked(retry: ReconnectPolicy) -> ReconnectPolicy:
    validate_number("retry.backoff_base", retry.backoff_base, 0)
    validate_number("retry.backoff_max", retry.backoff_max, 0)
    if retry.max_attempts is not None:
        validate_integer("retry.max_attempts", retry.max_attempts, 1, 2**31 - 1)
    return retry
