"""The messages of Proposal Mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import MacpSessionError
from ..session.messages import A, SessionMessages
from ..session.speaker import Speaker
from ..validation import validate_bytes, validate_id
from .projection import ProposalProjection

if TYPE_CHECKING:
    from typing_extensions import Unpack


class ProposalMessages(SessionMessages[A, ProposalProjection]):
    """What can be said in a Proposal session."""

    @property
    def proposal_projection(self) -> ProposalProjection:
        """Another name of `projection`."""
        return self.projection

    def propose(
        self,
        proposal_id: str,
        title: str = "",
        *,
        summary: str = "",
        details: bytes = b"",
        tags: Sequence[str] = (),
        **speaker: Unpack[Speaker],
    ) -> A:
        """Puts a proposal on the table."""
        if isinstance(tags, str) or not all(isinstance(tag, str) for tag in tags):
            raise MacpSessionError("tags", "must be a list of texts")
        fields = {
            "proposal_id": validate_id("proposal_id", proposal_id),
            "title": title,
            "summary": summary,
            "details": validate_bytes("details", details),
            "tags": list(tags),
        }
        return self._give(self._core.say("Proposal", fields, speaker))

    def counter_propose(
        self,
        proposal_id: str,
        supersedes_proposal_id: str,
        title: str = "",
        *,
        summary: str = "",
        details: bytes = b"",
        **speaker: Unpack[Speaker],
    ) -> A:
        """Puts another proposal beside one that is there; both can be accepted."""
        fields = {
            "proposal_id": validate_id("proposal_id", proposal_id),
            "supersedes_proposal_id": validate_id("supersedes_proposal_id", supersedes_proposal_id),
            "title": title,
            "summary": summary,
            "details": validate_bytes("details", details),
        }
        return self._give(self._core.say("CounterProposal", fields, speaker))

    def accept(self, proposal_id: str, *, reason: str = "", **speaker: Unpack[Speaker]) -> A:
        """Accepts a proposal, in place of what one accepted before."""
        fields = {"proposal_id": validate_id("proposal_id", proposal_id), "reason": reason}
        return self._give(self._core.say("Accept", fields, speaker))

    def reject(
        self, proposal_id: str, *, terminal: bool = False, reason: str = "", **speaker: Unpack[Speaker]
    ) -> A:
        """Rejects a proposal; `terminal` ends the negotiation: only the Commitment is left."""
        fields = {
            "proposal_id": validate_id("proposal_id", proposal_id),
            "terminal": terminal,
            "reason": reason,
        }
        return self._give(self._core.say("Reject", fields, speaker))

    def withdraw(self, proposal_id: str, *, reason: str = "", **speaker: Unpack[Speaker]) -> A:
        """Takes one's own proposal back; what was said of it is void."""
        fields = {"proposal_id": validate_id("proposal_id", proposal_id), "reason": reason}
        return self._give(self._core.say("Withdraw", fields, speaker))
