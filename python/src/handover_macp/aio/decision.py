"""The asyncio session of Decision Mode; projection and records are the same as in `handover_macp.decision`."""

from __future__ import annotations

from ..decision.messages import DecisionMessages
from ..decision.projection import DecisionProjection
from .session import AsyncAck, AsyncSession


class AsyncDecisionSession(DecisionMessages[AsyncAck], AsyncSession[DecisionProjection]):
    """A Decision session: options are proposed, evaluated, objected to and voted on; a Commitment binds the choice."""

    _projection_type = DecisionProjection
