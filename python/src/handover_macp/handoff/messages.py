"""The messages of Handoff Mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import MacpSessionError
from ..models import CommitmentRef
from ..session.messages import A, SessionMessages
from ..session.speaker import Speaker
from ..validation import validate_bytes, validate_id, validate_text
from .default_outcome import default_outcome
from .projection import HandoffProjection

if TYPE_CHECKING:
    from typing_extensions import Unpack


class HandoffMessages(SessionMessages[A, HandoffProjection]):
    """One handoff session: the owner offers, the target answers, the owner commits."""

    @property
    def handoff_projection(self) -> HandoffProjection:
        """Another name of `projection`."""
        return self.projection

    def _bind(self, participants: list[str], sender: str) -> list[str]:
        """The sender is a participant."""
        names = participants if not sender or sender in participants else [sender, *participants]
        if sender and len(names) < 2:
            raise MacpSessionError("participants", "must name a target besides the owner")
        return names

    def offer(
        self,
        handoff_id: str,
        target_participant: str,
        *,
        scope: str = "",
        reason: str = "",
        **speaker: Unpack[Speaker],
    ) -> A:
        """Offers responsibility to one participant under a new id."""
        fields = {
            "handoff_id": validate_id("handoff_id", handoff_id),
            "target_participant": validate_id("target_participant", target_participant),
            "scope": scope,
            "reason": reason,
        }
        participants = self._core.participants
        if participants and target_participant not in participants:
            problem = f"{target_participant!r} is not among the participants of the session"
            raise MacpSessionError("target_participant", problem)
        if target_participant == self._core.identity(speaker)[1]:
            raise MacpSessionError("target_participant", "must not be the owner")
        return self._give(self._core.say("HandoffOffer", fields, speaker))

    def add_context(
        self,
        handoff_id: str,
        *,
        content_type: str = "application/octet-stream",
        context: bytes = b"",
        **speaker: Unpack[Speaker],
    ) -> A:
        """Attaches information to an offer; after the target's answer it is kept, marked late."""
        fields = {
            "handoff_id": validate_id("handoff_id", handoff_id),
            "content_type": validate_text("content_type", content_type),
            "context": validate_bytes("context", context),
        }
        return self._give(self._core.say("HandoffContext", fields, speaker))

    send_context = add_context

    def accept_handoff(
        self, handoff_id: str, *, accepted_by: str = "", reason: str = "", **speaker: Unpack[Speaker]
    ) -> A:
        """Accepts an offer; only its target can."""
        return self._answer("HandoffAccept", "accepted_by", handoff_id, accepted_by, reason, speaker)

    def decline(
        self, handoff_id: str, *, declined_by: str = "", reason: str = "", **speaker: Unpack[Speaker]
    ) -> A:
        """Declines an offer; only its target can."""
        return self._answer("HandoffDecline", "declined_by", handoff_id, declined_by, reason, speaker)

    def _answer(
        self, message_type: str, name_field: str, handoff_id: str, name: str, reason: str, speaker: Speaker
    ) -> A:
        fields = {
            "handoff_id": validate_id("handoff_id", handoff_id),
            name_field: name or self._core.identity(speaker)[1],
            "reason": reason,
        }
        return self._give(self._core.say(message_type, fields, speaker))

    def commit(
        self,
        action: str | None = None,
        authority_scope: str | None = None,
        reason: str | None = None,
        *,
        commitment_id: str | None = None,
        outcome_positive: bool | None = None,
        supersedes: CommitmentRef | None = None,
        **speaker: Unpack[Speaker],
    ) -> A:
        """Resolves the session. What is not given comes from the history; the outcome follows from the action."""
        words = default_outcome(self.projection, action, authority_scope, reason, outcome_positive)
        return super().commit(
            *words,
            commitment_id=commitment_id,
            outcome_positive=outcome_positive,
            supersedes=supersedes,
            **speaker,
        )
