"""What a projection tells about the task, and about the work on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskRecord:
    """The task of the session."""

    task_id: str
    title: str
    instructions: str
    requested_assignee: str
    """Empty: any participant but the initiator may take it."""
    input: bytes
    deadline_unix_ms: int
    sender: str
    status: str = "requested"
    """requested, accepted, rejected (the named assignee declined), in_progress, completed or failed."""
    assignee: str | None = None
    """Who has it now."""
    progress: float = 0.0
    """What the assignee's newest update said; 1 when it is completed."""


@dataclass(frozen=True)
class TaskUpdateRecord:
    """How far the work was."""

    task_id: str
    status: str
    progress: float
    message: str
    partial_output: bytes
    sender: str


@dataclass(frozen=True)
class TaskCompleteRecord:
    """The report that the work is done."""

    task_id: str
    assignee: str
    output: bytes
    summary: str
    sender: str


@dataclass(frozen=True)
class TaskFailRecord:
    """The report that the work cannot be done; `retryable` says whether another session may help."""

    task_id: str
    assignee: str
    error_code: str
    reason: str
    retryable: bool
    sender: str
