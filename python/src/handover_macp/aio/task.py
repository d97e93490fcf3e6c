"""The asyncio session of Task Mode; projection and records are the same as in `handover_macp.task`."""

from __future__ import annotations

from ..task.messages import TaskMessages
from ..task.projection import TaskProjection
from .session import AsyncAck, AsyncSession


class AsyncTaskSession(TaskMessages[AsyncAck], AsyncSession[TaskProjection]):
    """A Task session: the initiator gives one task, somebody takes it and reports, a Commitment ends it."""

    _projection_type = TaskProjection
