"""The synchronous session of Task Mode."""

from __future__ import annotations

from ..models import Ack
from ..session.session import Session
from .messages import TaskMessages
from .projection import TaskProjection


class TaskSession(TaskMessages[Ack], Session[TaskProjection]):
    """A Task session: the initiator gives one task, somebody takes it and reports, a Commitment ends it."""

    _projection_type = TaskProjection
