"""The messages of Quorum Mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..session.messages import A, SessionMessages
from ..session.speaker import Speaker
from ..validation import validate_bytes, validate_id, validate_integer, validate_text
from .projection import QuorumProjection

if TYPE_CHECKING:
    from typing_extensions import Unpack

_MOST_APPROVALS = 2**32 - 1


class QuorumMessages(SessionMessages[A, QuorumProjection]):
    """What can be said in a Quorum session."""

    @property
    def quorum_projection(self) -> QuorumProjection:
        """Another name of `projection`."""
        return self.projection

    def request_approval(
        self,
        request_id: str,
        action: str,
        *,
        required_approvals: int,
        summary: str = "",
        details: bytes = b"",
        **speaker: Unpack[Speaker],
    ) -> A:
        """Asks for approval, as the initiator; a policy may say another number than `required_approvals`."""
        most = len(self._core.participants) or _MOST_APPROVALS
        fields = {
            "request_id": validate_id("request_id", request_id),
            "action": validate_text("action", action),
            "summary": summary,
            "details": validate_bytes("details", details),
            "required_approvals": validate_integer("required_approvals", required_approvals, 1, most),
        }
        return self._give(self._core.say("ApprovalRequest", fields, speaker))

    def approve(self, request_id: str, *, reason: str = "", **speaker: Unpack[Speaker]) -> A:
        """Casts one's ballot: yes."""
        return self._cast("Approve", request_id, reason, speaker)

    def reject(self, request_id: str, *, reason: str = "", **speaker: Unpack[Speaker]) -> A:
        """Casts one's ballot: no."""
        return self._cast("Reject", request_id, reason, speaker)

    def abstain(self, request_id: str, *, reason: str = "", **speaker: Unpack[Speaker]) -> A:
        """Casts one's ballot: neither. It is used up all the same."""
        return self._cast("Abstain", request_id, reason, speaker)

    def _cast(self, message_type: str, request_id: str, reason: str, speaker: Speaker) -> A:
        fields = {"request_id": validate_id("request_id", request_id), "reason": reason}
        return self._give(self._core.say(message_type, fields, speaker))
