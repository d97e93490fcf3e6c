"""The asyncio session of Handoff Mode; projection and records are the same as in `handover_macp.handoff`."""

from __future__ import annotations

from typing import Any

from ..errors import MacpAckError, MacpTimeoutError, MacpTooLargeError, MacpTransportError
from ..handoff._hand_over import TEN_MINUTES_MS, AnswerWait, plan_hand_over
from ..handoff.messages import HandoffMessages
from ..handoff.projection import HandoffProjection
from ..handoff.records import HandoffOfferRecord
from ..retry import may_pass
from .session import AsyncAck, AsyncSession


class AsyncHandoffSession(HandoffMessages[AsyncAck], AsyncSession[HandoffProjection]):
    """A handoff session: the owner offers, the target accepts or declines, the owner commits."""

    _projection_type = HandoffProjection

    async def hand_over(
        self,
        target: str,
        context: Any = None,
        *,
        scope: str = "",
        reason: str = "",
        content_type: str | None = None,
        handoff_id: str | None = None,
        ttl_ms: int = TEN_MINUTES_MS,
        commit: bool = True,
        timeout: float | None = None,
    ) -> HandoffOfferRecord:
        """Starts the session if need be, offers, sends the context, waits for the answer, and commits an acceptance.

        `context` is text, bytes, or anything that JSON can say. A decline leaves the session open: ask somebody else.
        """
        plan = plan_hand_over(self.session_id, target, context, scope, reason, content_type, handoff_id, ttl_ms)
        AnswerWait(self.projection, plan.handoff_id, timeout)  # Checks what it takes before anything is sent.
        starts = self.projection.session_start is None
        if starts:
            await self.start(**plan.start)
        await self.offer(**plan.offer)
        if plan.context is not None:
            try:
                await self.add_context(**plan.context)
            except (MacpAckError, MacpTooLargeError):
                # An offer cannot be taken back, and the target would decide without the context.
                if starts:
                    await self.cancel("the context was refused")
                raise
        offer = await self.wait_for_answer(plan.handoff_id, timeout=timeout)
        if commit and offer.disposition == "accepted":
            await self.commit(**plan.commit)
        else:
            await self.sync()  # What is left to the caller, the Commitment above all, may be there already.
        return offer

    async def wait_for_answer(self, handoff_id: str, *, timeout: float | None = None) -> HandoffOfferRecord:
        """The offer once it is answered; without `timeout` (seconds) it is waited for as long as the session lives."""
        wait = AnswerWait(self.projection, handoff_id, timeout)
        async with self.open_stream(after_sequence=self.projection.last_sequence) as stream:
            while True:
                offer = wait.answered()
                if offer is not None:
                    return offer
                pause = wait.seconds()
                try:
                    await stream.read(pause)
                    wait.heard()
                except MacpTimeoutError:
                    if stream._reading.ended:
                        raise
                    if await self._has_expired():
                        await self.sync()  # An answer may have been accepted just before the end.
                        return wait.last_word("EXPIRED")

    async def _has_expired(self) -> bool:
        try:
            return (await self.metadata()).state == "EXPIRED"
        except MacpTransportError as error:
            # The stream waits for a server that is away, and so does this.
            if not may_pass(error):
                raise
            return False
