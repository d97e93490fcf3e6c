"""Task Mode: one task, one assignee, one report."""

from .projection import TaskProjection
from .records import TaskCompleteRecord, TaskFailRecord, TaskRecord, TaskUpdateRecord
from .session import TaskSession

__all__ = [
    "TaskCompleteRecord",
    "TaskFailRecord",
    "TaskProjection",
    "TaskRecord",
    "TaskSession",
    "TaskUpdateRecord",
]
