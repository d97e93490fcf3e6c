"""The messages of Task Mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import MacpSessionError
from ..session.messages import A, SessionMessages
from ..session.speaker import Speaker
from ..validation import validate_bytes, validate_id, validate_integer, validate_number, validate_text
from .projection import TaskProjection

if TYPE_CHECKING:
    from typing_extensions import Unpack


class TaskMessages(SessionMessages[A, TaskProjection]):
    """What can be said in a Task session."""

    @property
    def task_projection(self) -> TaskProjection:
        """Another name of `projection`."""
        return self.projection

    def _bind(self, participants: list[str], sender: str) -> list[str]:
        """Somebody besides the initiator must be there to do the task."""
        if all(name == sender for name in participants):
            raise MacpSessionError("participants", "must name somebody besides the initiator")
        return participants

    def request_task(
        self,
        task_id: str,
        title: str,
        *,
        instructions: str = "",
        requested_assignee: str = "",
        input_data: bytes = b"",
        deadline_unix_ms: int = 0,
        **speaker: Unpack[Speaker],
    ) -> A:
        """Gives the task, as the initiator. Without a named assignee any other participant may take it."""
        participants = self._core.participants
        if requested_assignee and participants and requested_assignee not in participants:
            problem = f"{requested_assignee!r} is not among the participants of the session"
            raise MacpSessionError("requested_assignee", problem)
        fields = {
            "task_id": validate_id("task_id", task_id),
            "title": validate_text("title", title),
            "instructions": instructions,
            "requested_assignee": requested_assignee,
            "input": validate_bytes("input_data", input_data),
            "deadline_unix_ms": validate_integer("deadline_unix_ms", deadline_unix_ms, 0, 2**53 - 1),
        }
        return self._give(self._core.say("TaskRequest", fields, speaker))

    def accept_task(
        self, task_id: str, *, assignee: str = "", reason: str = "", **speaker: Unpack[Speaker]
    ) -> A:
        """Takes the task."""
        return self._as_assignee("TaskAccept", task_id, assignee, {"reason": reason}, speaker)

    def reject_task(
        self, task_id: str, *, assignee: str = "", reason: str = "", **speaker: Unpack[Speaker]
    ) -> A:
        """Declines the task, or gives it back where the policy allows that."""
        return self._as_assignee("TaskReject", task_id, assignee, {"reason": reason}, speaker)

    def update_task(
        self,
        task_id: str,
        *,
        status: str = "",
        progress: float = 0.0,
        message: str = "",
        partial_output: bytes = b"",
        **speaker: Unpack[Speaker],
    ) -> A:
        """Says how far the work is, as its assignee; `progress` is usually between 0 and 1."""
        fields = {
            "task_id": validate_id("task_id", task_id),
            "status": status,
            "progress": validate_number("progress", progress),
            "message": message,
            "partial_output": validate_bytes("partial_output", partial_output),
        }
        return self._give(self._core.say("TaskUpdate", fields, speaker))

    def complete_task(
        self,
        task_id: str,
        *,
        assignee: str = "",
        output: bytes = b"",
        summary: str = "",
        **speaker: Unpack[Speaker],
    ) -> A:
        """Says that the work is done. It does not end the session: a Commitment does."""
        fields = {"output": validate_bytes("output", output), "summary": summary}
        return self._as_assignee("TaskComplete", task_id, assignee, fields, speaker)

    def fail_task(
        self,
        task_id: str,
        *,
        assignee: str = "",
        error_code: str = "",
        reason: str = "",
        retryable: bool = False,
        **speaker: Unpack[Speaker],
    ) -> A:
        """Says that the work cannot be done. It does not end the session: a Commitment does."""
        fields = {"error_code": error_code, "reason": reason, "retryable": retryable}
        return self._as_assignee("TaskFail", task_id, assignee, fields, speaker)

    def _as_assignee(
        self, message_type: str, task_id: str, assignee: str, fields: dict[str, Any], speaker: Speaker
    ) -> A:
        """The assignee is the sender unless named; nobody else can be."""
        common = {
            "task_id": validate_id("task_id", task_id),
            "assignee": assignee or self._core.identity(speaker)[1],
        }
        return self._give(self._core.say(message_type, {**common, **fields}, speaker))
