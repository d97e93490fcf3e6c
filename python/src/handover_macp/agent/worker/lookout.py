"""Where offers to an agent may come, and the offers that are there.

L1. Every open session of Handoff Mode in which the agent takes part is looked at, those of before and those that come. A
    reconnected watch tells of all again, so none is missed.
L2. What has ended is not read, and neither is what cannot bring an offer any more: somebody accepted, or the agent declined.
L3. A server lets an identity listen to a limited number of streams. So at most `streams` sessions are followed at a time;
    where there are more they take turns, new ones first. Where the server allows fewer, there are fewer for a minute.
L4. While the server is away or busy all wait together, longer each time.
L5. A session costs a few numbers: payloads are not kept.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Callable

from ..._convert import to_model
from ..._reconnect import ReconnectPolicy
from ..._watches import WatchFeed
from ..._wire import Message
from ...aio import AsyncMacpClient, AsyncWatcher
from ...auth import AuthConfig
from ...errors import MacpClosedError, MacpSdkError, MacpTimeoutError, MacpTransportError
from ...handoff.open_offer import is_gone, may_have_offers
from ...models import SessionEvent
from ...retry import may_pass
from .known import Known

log = logging.getLogger("handover_macp")

_TURN_SECONDS = 1.0
_READ_SECONDS = 30.0
_FEWER_FOR_SECONDS = 60.0
_FIRST_PAUSE_SECONDS = 0.25
_LONGEST_PAUSE_SECONDS = 5.0
_ONCE = ReconnectPolicy(max_attempts=0)
_PAUSE_SECONDS = 0.25
"""What a place is left empty after a session in which nothing was new, so that turns do not become a storm."""


class Lookout:
    """Calls `found` with an offer that waits, and `ended` with a session that is over."""

    def __init__(
        self,
        client: AsyncMacpClient,
        agent: str,
        auth: AuthConfig | None,
        streams: int,
        found: Callable[[Known], None],
        ended: Callable[[str], None],
        resumed: Callable[[str], None],
    ) -> None:
        self._client = client
        self._agent = agent
        self._auth = auth
        self._streams = streams
        self._found = found
        self._ended = ended
        self._resumed = resumed
        self.known: dict[str, Known] = {}
        self._new: deque[Known] = deque()
        self._again: deque[Known] = deque()
        self._followed: set[str] = set()
        self._fewer = streams
        self._fewer_until = 0.0
        self._failures = 0
        self._not_before = 0.0
        self._waiting = asyncio.Event()

    async def run(self) -> None:
        """Runs until it is cancelled, or until the server refuses to be watched."""
        looks = (self._look(place) for place in range(self._streams))
        tasks = [asyncio.create_task(self._watch()), *(asyncio.create_task(look) for look in looks)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def forget(self, session_id: str) -> None:
        """The session can bring no offer any more."""
        self.known.pop(session_id, None)

    def follow_again(self, known: Known) -> None:
        """The offer of the session was left unanswered: what comes next may bring it up again."""
        self._line_up(self._again, known)

    async def _watch(self) -> None:
        # Not the client's own watch: that remembers every session it has told of.
        feed = WatchFeed("WatchSessions", self._auth, _session_events)
        async with AsyncWatcher(self._client._transport, feed) as watch:
            async for event in watch:
                self._take(event)

    def _take(self, event: SessionEvent) -> None:
        session = event.session
        known = self.known.get(session.session_id)
        if session.state == "OPEN" and may_have_offers(session, self._agent):
            if known is None:
                known = self.known[session.session_id] = Known(session.session_id)
                self._line_up(self._new, known)
            known.expires_at_unix_ms, known.policy_version = session.expires_at_unix_ms, session.policy_version
            if event.event_type == "RESUMED":
                self._resumed(session.session_id)
        elif known is not None and session.state != "SUSPENDED":
            self.forget(session.session_id)
            self._ended(session.session_id)

    def _line_up(self, line: deque[Known], known: Known) -> None:
        line.append(known)
        self._waiting.set()

    @property
    def _crowded(self) -> bool:
        return bool(self._new or self._again)

    def make_room(self) -> None:
        """A stream was refused because there are too many: some of these end."""
        self._fewer = max(1, min(self._room, len(self._followed)) - 2)
        self._fewer_until = time.monotonic() + _FEWER_FOR_SECONDS

    @property
    def _room(self) -> int:
        return self._fewer if time.monotonic() < self._fewer_until else self._streams

    async def _look(self, place: int) -> None:
        while True:
            if place >= self._room:
                await asyncio.sleep(_TURN_SECONDS)
                continue
            await self._waiting.wait()
            if time.monotonic() < self._not_before:
                await asyncio.sleep(self._not_before - time.monotonic())
                continue
            if not self._crowded:
                self._waiting.clear()
                continue
            is_new = bool(self._new)
            known = self._new.popleft() if is_new else self._again.popleft()
            if not self._is_known(known):
                continue
            await self._look_at(known, place)
            if self._crowded and not is_new:
                await asyncio.sleep(_PAUSE_SECONDS)

    def _is_known(self, known: Known) -> bool:
        return self.known.get(known.session_id) is known

    async def _look_at(self, known: Known, place: int) -> None:
        try:
            await self._follow(known, place)
        except MacpClosedError:
            raise
        except MacpSdkError as error:
            self._failed(known, error)
        finally:
            self._followed.discard(known.session_id)
        if not self._is_known(known):
            return
        if known.settled:
            self.forget(known.session_id)
            self._ended(known.session_id)
        elif known.has_news:
            known.found_at = time.monotonic()
            self._found(known)
        else:
            self._line_up(self._again, known)

    def _failed(self, known: Known, error: MacpSdkError) -> None:
        if is_gone(error):
            known.settled = True
            return
        # The watch says so when the connection is lost.
        if not (isinstance(error, MacpTransportError) and may_pass(error)):
            log.warning("session %s cannot be followed: %s", known.session_id, error)
        elif error.code == "RESOURCE_EXHAUSTED":
            self.make_room()
        longest = min(_FIRST_PAUSE_SECONDS * 2**self._failures, _LONGEST_PAUSE_SECONDS)
        self._failures = min(self._failures + 1, 30)
        self._not_before = time.monotonic() + max(longest * random.uniform(0.75, 1), (error.retry_after_ms or 0) / 1000)

    @property
    def followed(self) -> int:
        """How many sessions have a stream of their own."""
        return len(self._followed)

    async def _follow(self, known: Known, place: int) -> None:
        """Until there is something to decide or nothing to come; where others wait, to what is there by now."""
        async with self._client.open_stream(auth=self._auth, reconnect=_ONCE) as stream:
            stream.send_subscribe(known.session_id, known.sequence)
            only_reads = self._crowded
            if only_reads:
                stream.finish()
            else:
                self._followed.add(known.session_id)
            while self._is_known(known) and not (known.settled or known.has_news):
                try:
                    envelope = await stream.read(_READ_SECONDS if only_reads else _TURN_SECONDS)
                except MacpTimeoutError:
                    if stream._reading.ended:
                        raise
                    if only_reads or self._crowded or place >= self._room:
                        return
                    continue
                self._failures = 0
                if envelope is None:
                    return
                known.take(envelope, self._agent)
                known.sequence = stream.last_sequence


def _session_events(response: Message) -> list[SessionEvent]:
    return [to_model(SessionEvent, response.event)]
