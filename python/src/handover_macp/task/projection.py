"""What a client knows of a Task session, which has one task."""

from __future__ import annotations

import dataclasses

from .._wire import Message
from ..constants import MODE_TASK
from ..models import Envelope
from ..session.projection import SessionProjection
from .records import TaskCompleteRecord, TaskFailRecord, TaskRecord, TaskUpdateRecord


class TaskProjection(SessionProjection):
    """Follows a Task session; phases are Pending, Requested, InProgress, Completed, Failed and Committed."""

    mode = MODE_TASK

    def _reset(self) -> None:
        self._request: TaskRecord | None = None
        self._assignee: str | None = None
        self._declined: list[str] = []
        self._returned: list[str] = []
        self._updates: list[TaskUpdateRecord] = []
        self._completions: list[TaskCompleteRecord] = []
        self._failures: list[TaskFailRecord] = []

    def _ask(self, envelope: Envelope, payload: Message) -> None:
        if self._request is None:
            self._request = TaskRecord(
                payload.task_id,
                payload.title,
                payload.instructions,
                payload.requested_assignee,
                payload.input,
                payload.deadline_unix_ms,
                envelope.sender,
            )

    def _accept(self, envelope: Envelope, payload: Message) -> None:
        if not self._is_ours(payload):
            return
        if self._assignee is None:
            self._assignee = envelope.sender
        else:
            detail = f"{self._assignee} has the task; this is left out"
            self._note("duplicate_task_accept", envelope, payload.task_id, detail)

    def _reject(self, envelope: Envelope, payload: Message) -> None:
        """The assignee gives it back; anybody else declines for themselves."""
        if not self._is_ours(payload) or self._has_rejected(envelope.sender):
            return
        if self._assignee == envelope.sender:
            self._assignee = None
            self._returned.append(envelope.sender)
        else:
            self._declined.append(envelope.sender)

    def _update(self, envelope: Envelope, payload: Message) -> None:
        if self._is_ours(payload):
            self._updates.append(
                TaskUpdateRecord(
                    payload.task_id,
                    payload.status,
                    payload.progress,
                    payload.message,
                    payload.partial_output,
                    envelope.sender,
                )
            )

    def _complete(self, envelope: Envelope, payload: Message) -> None:
        if self._is_ours(payload) and not self._is_reported():
            self._completions.append(
                TaskCompleteRecord(
                    payload.task_id, payload.assignee, payload.output, payload.summary, envelope.sender
                )
            )

    def _fail(self, envelope: Envelope, payload: Message) -> None:
        if self._is_ours(payload) and not self._is_reported():
            self._failures.append(
                TaskFailRecord(
                    payload.task_id,
                    payload.assignee,
                    payload.error_code,
                    payload.reason,
                    payload.retryable,
                    envelope.sender,
                )
            )

    _folds = {
        "TaskRequest": _ask,
        "TaskAccept": _accept,
        "TaskReject": _reject,
        "TaskUpdate": _update,
        "TaskComplete": _complete,
        "TaskFail": _fail,
    }

    def _is_ours(self, payload: Message) -> bool:
        return self._request is not None and payload.task_id == self._request.task_id

    def _is_reported(self) -> bool:
        return bool(self._completions or self._failures)

    def _has_rejected(self, participant: str) -> bool:
        return participant in self._declined or participant in self._returned

    def _open_phase(self) -> str:
        if self._request is None:
            return "Pending"
        if self._is_reported():
            return "Completed" if self._completions else "Failed"
        return "Requested" if self._assignee is None else "InProgress"

    def _status(self, request: TaskRecord) -> str:
        if self._is_reported():
            return "completed" if self._completions else "failed"
        if self._assignee is not None:
            return "in_progress" if self._own_updates() else "accepted"
        return "rejected" if request.requested_assignee in self._declined else "requested"

    def _own_updates(self) -> list[TaskUpdateRecord]:
        """Those of who has the task now; what somebody said who gave it back does not count."""
        return [update for update in self._updates if update.sender == self._assignee]

    @property
    def task(self) -> TaskRecord | None:
        """The task of the session, once it is given."""
        if self._request is None:
            return None
        newest = next(iter(reversed(self._own_updates())), None)
        progress = 1.0 if self._completions else (newest.progress if newest else 0.0)
        return dataclasses.replace(
            self._request, status=self._status(self._request), assignee=self._assignee, progress=progress
        )

    @property
    def tasks(self) -> dict[str, TaskRecord]:
        """The task by its id; at most one."""
        task = self.task
        return {task.task_id: task} if task else {}

    @property
    def updates(self) -> list[TaskUpdateRecord]:
        """All updates, in order."""
        return self._updates

    @property
    def completions(self) -> list[TaskCompleteRecord]:
        """The report that the work is done, if there is one."""
        return self._completions

    @property
    def failures(self) -> list[TaskFailRecord]:
        """The report that the work cannot be done, if there is one."""
        return self._failures

    def get_task(self, task_id: str) -> TaskRecord | None:
        """The full record of the task."""
        return self.tasks.get(task_id)

    def progress_of(self, task_id: str) -> float:
        """What the assignee's newest update said, and 1 when it is completed."""
        task = self.get_task(task_id)
        return task.progress if task else 0.0

    def is_complete(self, task_id: str) -> bool:
        """True after the report that the work is done."""
        return self._has_status(task_id, "completed")

    def is_failed(self, task_id: str) -> bool:
        """True after the report that the work cannot be done."""
        return self._has_status(task_id, "failed")

    def _has_status(self, task_id: str, status: str) -> bool:
        task = self.get_task(task_id)
        return task is not None and task.status == status

    def is_retryable(self, task_id: str) -> bool:
        """True when it failed and trying again may help."""
        return any(failure.task_id == task_id and failure.retryable for failure in self._failures)

    def active_tasks(self) -> list[TaskRecord]:
        """The task while there is work to do."""
        return [task for task in self.tasks.values() if task.status in ("requested", "accepted", "in_progress")]

    def has_declined(self, participant: str) -> bool:
        """Whether a participant declined the task or gave it back; they cannot take it any more."""
        return self._has_rejected(participant)

    def can_accept(self, participant: str) -> bool:
        """Whether a TaskAccept of this participant can be accepted by the server now."""
        request = self._request
        if request is None or self._assignee is not None or self._is_reported() or self.session_state != "OPEN":
            return False
        if participant not in self.participants or self._has_rejected(participant):
            return False
        named = request.requested_assignee
        return participant == named if named else participant != self.initiator

    @property
    def negative_commit_eligible(self) -> bool:
        """Whether the history allows a negative Commitment."""
        if self.is_committed or self._request is None:
            return False
        unwanted = self._assignee is None and self._request.requested_assignee in self._declined
        return self._is_reported() or unwanted
