"""The messages of Decision Mode. Words may be written in any case; they are sent as the protocol has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..session.messages import A, SessionMessages
from ..session.speaker import Speaker
from ..validation import validate_bytes, validate_id, validate_number, validate_text, validate_word
from .projection import DecisionProjection
from .words import RECOMMENDATIONS, SEVERITIES, VOTES

if TYPE_CHECKING:
    from typing_extensions import Unpack


class DecisionMessages(SessionMessages[A, DecisionProjection]):
    """What can be said in a Decision session."""

    @property
    def decision_projection(self) -> DecisionProjection:
        """Another name of `projection`."""
        return self.projection

    def propose(
        self,
        proposal_id: str,
        option: str,
        *,
        rationale: str = "",
        supporting_data: bytes = b"",
        **speaker: Unpack[Speaker],
    ) -> A:
        """Proposes an option; possible until the first vote."""
        fields = {
            "proposal_id": validate_id("proposal_id", proposal_id),
            "option": validate_text("option", option),
            "rationale": rationale,
            "supporting_data": validate_bytes("supporting_data", supporting_data),
        }
        return self._give(self._core.say("Proposal", fields, speaker))

    def evaluate(
        self,
        proposal_id: str,
        recommendation: str,
        *,
        confidence: float,
        reason: str = "",
        **speaker: Unpack[Speaker],
    ) -> A:
        """Says what one thinks of an option, with a confidence from 0 to 1; possible until the first vote."""
        fields = {
            "proposal_id": validate_id("proposal_id", proposal_id),
            "recommendation": validate_word("recommendation", recommendation, RECOMMENDATIONS),
            "confidence": validate_number("confidence", confidence, 0, 1),
            "reason": reason,
        }
        return self._give(self._core.say("Evaluation", fields, speaker))

    def raise_objection(
        self, proposal_id: str, *, reason: str, severity: str = "medium", **speaker: Unpack[Speaker]
    ) -> A:
        """Says what speaks against an option; possible until the first vote. A policy may let a critical one veto."""
        fields = {
            "proposal_id": validate_id("proposal_id", proposal_id),
            "reason": validate_text("reason", reason),
            "severity": validate_word("severity", severity, SEVERITIES),
        }
        return self._give(self._core.say("Objection", fields, speaker))

    def vote(self, proposal_id: str, vote: str, *, reason: str = "", **speaker: Unpack[Speaker]) -> A:
        """Votes APPROVE, REJECT or ABSTAIN on an option, once."""
        fields = {
            "proposal_id": validate_id("proposal_id", proposal_id),
            "vote": validate_word("vote", vote, VOTES),
            "reason": reason,
        }
        return self._give(self._core.say("Vote", fields, speaker))
