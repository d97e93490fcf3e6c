"""The asyncio session of the multi-round mode; projection and records are the same as in `handover_macp.multi_round`."""

from __future__ import annotations

from ..multi_round.messages import MultiRoundMessages
from ..multi_round.projection import MultiRoundProjection
from .session import AsyncAck, AsyncSession


class AsyncMultiRoundSession(MultiRoundMessages[AsyncAck], AsyncSession[MultiRoundProjection]):
    """A multi-round session: participants contribute values until all hold the same; the initiator commits it."""

    _projection_type = MultiRoundProjection
