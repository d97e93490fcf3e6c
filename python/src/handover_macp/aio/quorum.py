"""The asyncio session of Quorum Mode; projection and records are the same as in `handover_macp.quorum`."""

from __future__ import annotations

from ..quorum.messages import QuorumMessages
from ..quorum.projection import QuorumProjection
from .session import AsyncAck, AsyncSession


class AsyncQuorumSession(QuorumMessages[AsyncAck], AsyncSession[QuorumProjection]):
    """A Quorum session: an action needs a number of approvals; each participant casts one ballot."""

    _projection_type = QuorumProjection
