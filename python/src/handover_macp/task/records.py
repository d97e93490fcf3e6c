"""What a projection tells about the task, and about the work on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskRecord:
    """The task of the session."""

    task_id: str
    """The id of the task."""
    title: str
    """What it is called."""
    instructions: str
    """What is to be done."""
    requested_assignee: str
    """Empty: any participant but the initiator may take it."""
    input: bytes
    """Whatever bytes came with it."""
    deadline_unix_ms: int
    """When it should be done; 0 where nobody said. The server does not enforce it."""
    sender: str
    """Who asks for it."""
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
    """The task that is meant."""
    status: str
    """In the words of the assignee."""
    progress: float
    """How far, from 0 to 1."""
    message: str
    """What else was said."""
    partial_output: bytes
    """What there is by then."""
    sender: str
    """Who works on it."""


@dataclass(frozen=True)
class TaskCompleteRecord:
    """The report that the work is done."""

    task_id: str
    """The task that is meant."""
    assignee: str
    """Who did it."""
    output: bytes
    """What came of it."""
    summary: str
    """The same in a few words."""
    sender: str
    """Who reports it."""


@dataclass(frozen=True)
class TaskFailRecord:
    """The report that the work cannot be done; `retryable` says whether another session may help."""

    task_id: str
    """The task that is meant."""
    assignee: str
    """Who had it."""
    error_code: str
    """Which error, in the words of the assignee."""
    reason: str
    """Why."""
    retryable: bool
    sender: str
    """Who reports it."""
