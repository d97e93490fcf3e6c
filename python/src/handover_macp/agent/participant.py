"""An agent in one session.

A1. Envelopes are handled one at a time, in the server's order: the projection first, then the handlers of the type, those
    of any type, those of the phase, and when the session has ended those of the end.
A2. The agent ends with the session: resolved, cancelled or expired. An answer is not the end; a Commitment is.
A3. Its own messages come back on the stream and are handled like any other, once.
A4. An error of a handler ends `run`, unless `on_error` takes it.
A5. What a strategy does later is done between two envelopes, like a handler; the end of `run` drops it.
A6. Ids of its first messages follow from the session, so an agent that is started again repeats them and adds none.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..aio import AsyncMacpClient, AsyncSession
from ..aio.decision import AsyncDecisionSession
from ..aio.handoff import AsyncHandoffSession
from ..aio.multi_round import AsyncMultiRoundSession
from ..aio.proposal import AsyncProposalSession
from ..aio.quorum import AsyncQuorumSession
from ..aio.task import AsyncTaskSession
from ..auth import AuthConfig
from ..constants import (
    DEFAULT_CONFIGURATION_VERSION,
    DEFAULT_MODE_VERSION,
    DEFAULT_POLICY_VERSION,
    MODE_HANDOFF,
)
from ..envelopes import build_envelope, decode_payload
from ..errors import MacpSdkError, MacpSessionError, MacpUnknownSessionError
from ..models import Envelope
from ..session.projection import SessionProjection
from ..validation import validate_id, validate_kind
from .dispatcher import Dispatcher
from .handlers import (
    HandlerContext,
    IncomingMessage,
    MessageHandler,
    PhaseChange,
    PhaseHandler,
    TerminalHandler,
    TerminalResult,
)
from .later_tasks import LaterTasks

log = logging.getLogger("handover_macp")

_AGAIN_SECONDS = 0.2
_SESSIONS: tuple[type[AsyncSession[Any]], ...] = (
    AsyncDecisionSession,
    AsyncHandoffSession,
    AsyncMultiRoundSession,
    AsyncProposalSession,
    AsyncQuorumSession,
    AsyncTaskSession,
)
_BY_MODE = {str(getattr(kind._projection_type, "mode")): kind for kind in _SESSIONS}


class Strategy(Protocol):
    """A ready-made behaviour: it adds its handlers to a participant."""

    def install(self, participant: Participant) -> None:
        """Called once, by `use`."""


@dataclass(frozen=True)
class InitiatorPlan:
    """What an agent that opens the session says first: the arguments of `start`, and one message after it."""

    session_start: Mapping[str, Any]
    """The arguments of `start` by their names."""
    kickoff: tuple[str, bytes] | None = None
    """The type and the encoded payload of the first message after it."""


class Participant:
    """Follows one session and calls handlers until the session has ended."""

    def __init__(
        self,
        *,
        participant_id: str,
        session_id: str,
        client: AsyncMacpClient,
        mode: str = MODE_HANDOFF,
        auth: AuthConfig | None = None,
        mode_version: str = DEFAULT_MODE_VERSION,
        configuration_version: str = DEFAULT_CONFIGURATION_VERSION,
        policy_version: str = DEFAULT_POLICY_VERSION,
        initiator: InitiatorPlan | None = None,
        wait_for_session: float = 30.0,
    ) -> None:
        if mode not in _BY_MODE:
            raise MacpSessionError("mode", f"must be one of {', '.join(sorted(_BY_MODE))}")
        validate_kind("client", client, AsyncMacpClient)
        self.participant_id = validate_id("participant_id", participant_id)
        self._auth, _ = client._core.identity(participant_id, auth)
        self.client = client
        self.session: Any = _BY_MODE[mode](
            client,
            session_id,
            mode_version=mode_version,
            configuration_version=configuration_version,
            policy_version=policy_version,
            auth=self._auth,
        )
        # What the agent says comes back on the stream; taken in twice, its handlers would not be called.
        self.session._core.applies_own = False
        self.policy_version = policy_version
        self._initiator = initiator
        self._patience = wait_for_session
        self._dispatcher = Dispatcher()
        self._context = HandlerContext(self, self.projection, self.session, log)
        self._on_error: Callable[[Exception], object] | None = None
        self._stop = asyncio.Event()
        self._busy = asyncio.Lock()
        self._running = False
        self._follows = False
        self._later = LaterTasks()
        self._result: TerminalResult | None = None

    @property
    def projection(self) -> Any:
        """What is known of the session, in the server's order."""
        return self.session.projection

    @property
    def is_stopped(self) -> bool:
        """True when the session has ended, or `stop` was called."""
        return self._result is not None or self._stop.is_set()

    def on(self, message_type: str, handler: MessageHandler) -> Participant:
        """Adds a handler for a message type, or for any with `*`."""
        self._dispatcher.messages.setdefault(message_type, []).append(handler)
        return self

    def on_phase_change(self, phase: str, handler: PhaseHandler) -> Participant:
        """Adds a handler for a phase that is entered, or for any with `*`."""
        self._dispatcher.phases.setdefault(phase, []).append(handler)
        return self

    def on_terminal(self, handler: TerminalHandler) -> Participant:
        """Adds a handler for the end of the session."""
        self._dispatcher.terminal.append(handler)
        return self

    def on_error(self, handler: Callable[[Exception], object]) -> Participant:
        """Takes the errors of handlers, so that the agent goes on."""
        self._on_error = handler
        return self

    def use(self, strategy: Strategy) -> Participant:
        """Adds a ready-made behaviour."""
        strategy.install(self)
        return self

    def stop(self) -> None:
        """Ends `run` after the handler that is running."""
        self._stop.set()

    async def run(self) -> TerminalResult | None:
        """Runs until the session has ended (then tells how) or `stop` is called."""
        if self._running:
            raise MacpSdkError("the participant is running already")
        self._running = True
        await self._initiate()
        self._follows = True
        reading = asyncio.create_task(self._follow())
        expiry = asyncio.create_task(self._expires())
        stopping = asyncio.create_task(self._stop.wait())
        failing = asyncio.create_task(self._later.failed.wait())
        tasks = {reading, expiry, stopping, failing}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            async with self._busy:  # Not in the middle of a handler.
                reading.cancel()
            if not reading.done():
                await asyncio.gather(reading, return_exceptions=True)
            self._later.raise_failure()
            if not reading.cancelled():
                reading.result()
            if expiry.done() and self._result is None and not self._stop.is_set():
                await self._end_expired()
        finally:
            tasks |= self._later.tasks
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._follows = False
        return self._result

    @property
    def is_running(self) -> bool:
        """True while `run` follows the session."""
        return self._follows

    def after(self, seconds: float, act: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        """Does something later, between two envelopes; for strategies, while `run` runs."""
        return self._later.after(seconds, lambda: self._between_envelopes(act))

    async def _between_envelopes(self, act: Callable[[], Awaitable[None]]) -> None:
        async with self._busy:
            if not self.is_stopped:
                await self._guard(act)

    async def process_event(self, envelope: Envelope, sequence: int) -> None:
        """Handles one envelope as if the stream had brought it."""
        previous = _phase(self.projection)
        if not self.projection.apply_envelope(envelope, sequence):
            return
        phase = _phase(self.projection)
        message = IncomingMessage(envelope.message_type, envelope.sender, _payload(envelope), envelope, sequence)
        await self._guard(lambda: self._dispatcher.on_message(message, self._context))
        if phase != previous:
            await self._guard(lambda: self._dispatcher.on_phase(PhaseChange(phase, previous), self._context))
        if envelope.message_type == "SessionCancel":
            await self._end(TerminalResult("CANCELLED"))
        elif envelope.message_type == "Commitment":
            await self._end(TerminalResult("RESOLVED", self.projection.commitment))

    async def _initiate(self) -> None:
        if self._initiator is None:
            return
        session_id = self.session.session_id
        await self.session.start(**self._initiator.session_start, message_id=f"start:{session_id}")
        if self._initiator.kickoff is None:
            return
        message_type, payload = self._initiator.kickoff
        envelope = build_envelope(
            mode=self.projection.mode,
            message_type=message_type,
            session_id=session_id,
            payload=payload,
            sender=self.participant_id,
            message_id=f"kickoff:{session_id}",
        )
        await self.client.retry_send(envelope, auth=self._auth)

    async def _follow(self) -> None:
        """Agents start in any order: a session that does not exist yet is waited for."""
        give_up_at = time.monotonic() + self._patience
        while True:
            try:
                return await self._read(endless=True)
            except MacpUnknownSessionError:
                if self.projection.last_sequence > 0 or time.monotonic() >= give_up_at:
                    raise
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _read(self, endless: bool) -> None:
        """Follows the session from where the projection is; to its end, or to what is accepted by now."""
        async with self.client.open_stream(auth=self._auth) as stream:
            stream.send_subscribe(self.session.session_id, self.projection.last_sequence)
            if not endless:
                stream.finish()
            async for envelope in stream:
                async with self._busy:
                    await self.process_event(envelope, stream.last_sequence)
                if self._result is not None:
                    return

    async def _expires(self) -> None:
        """Returns when the session expires: no envelope tells of it."""
        try:
            async with self.client.watch_sessions(auth=self._auth) as watch:
                async for event in watch:
                    if event.session.session_id == self.session.session_id and event.session.state == "EXPIRED":
                        return
        except MacpSdkError as error:
            # Some servers have no WatchSessions; the agent works without it.
            log.warning("the expiry of session %s cannot be watched: %s", self.session.session_id, error)
        await asyncio.Event().wait()

    async def _end_expired(self) -> None:
        """Expiry comes on another stream than envelopes, so this first takes what was accepted before it."""
        await self._read(endless=False)
        if self._result is None:
            await self._end(TerminalResult("EXPIRED"))

    async def _end(self, result: TerminalResult) -> None:
        self._result = result
        await self._guard(lambda: self._dispatcher.on_terminal(result, self._context))

    async def _guard(self, handlers: Callable[[], Awaitable[None]]) -> None:
        try:
            await handlers()
        except Exception as error:
            if self._on_error is None:
                raise
            self._on_error(error)


def _phase(projection: SessionProjection) -> str:
    return str(getattr(projection, "detailed_phase", projection.phase))


def _payload(envelope: Envelope) -> Mapping[str, Any] | None:
    try:
        return decode_payload(envelope)
    except MacpSdkError:
        return None
