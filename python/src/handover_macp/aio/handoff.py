"""The asyncio session of Handoff Mode; projection and records are the same as in `handover_macp.handoff`."""

from __future__ import annotations

from ..handoff.messages import HandoffMessages
from ..handoff.projection import HandoffProjection
from .session import AsyncAck, AsyncSession


class AsyncHandoffSession(HandoffMessages[AsyncAck], AsyncSession[HandoffProjection]):
    """A handoff session: the owner offers, the target accepts or declines, the owner commits."""

    _projection_type = HandoffProjection
