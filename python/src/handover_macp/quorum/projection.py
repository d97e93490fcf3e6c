"""What a client knows of a Quorum session.

Numbers are those of the request; what a policy makes of them says `effective_quorum_threshold`.
"""

from __future__ import annotations

from .._wire import Message
from ..constants import MODE_QUORUM
from ..models import Envelope
from ..session.projection import SessionProjection
from .records import ApprovalRequestRecord, BallotRecord


class QuorumProjection(SessionProjection):
    """Follows a Quorum session; phases are Pending, Voting and Committed."""

    mode = MODE_QUORUM

    def _reset(self) -> None:
        self._request: ApprovalRequestRecord | None = None
        self._cast: dict[str, BallotRecord] = {}

    def _ask(self, envelope: Envelope, payload: Message) -> None:
        if self._request is None:
            self._request = ApprovalRequestRecord(
                payload.request_id,
                payload.action,
                payload.summary,
                payload.details,
                payload.required_approvals,
                envelope.sender,
            )

    def _ballot(self, envelope: Envelope, payload: Message) -> None:
        if self._request is None or self._request.request_id != payload.request_id:
            return
        first = self._cast.get(envelope.sender)
        if first is not None:
            detail = f'{first.sender} cast "{first.choice}" before; that counts'
            self._note("duplicate_ballot", envelope, payload.request_id, detail)
            return
        self._cast[envelope.sender] = BallotRecord(
            payload.request_id, envelope.message_type.lower(), payload.reason, envelope.sender
        )

    _folds = {"ApprovalRequest": _ask, "Approve": _ballot, "Reject": _ballot, "Abstain": _ballot}

    def _open_phase(self) -> str:
        return "Voting" if self._request else "Pending"

    @property
    def requests(self) -> dict[str, ApprovalRequestRecord]:
        """The request by its id; at most one."""
        return {self._request.request_id: self._request} if self._request else {}

    @property
    def ballots(self) -> dict[str, dict[str, BallotRecord]]:
        """The ballots that count, by request id and then by sender."""
        return {self._request.request_id: self._cast} if self._request and self._cast else {}

    def approval_count(self, request_id: str) -> int:
        """How many approve."""
        return self._count(request_id, "approve")

    def rejection_count(self, request_id: str) -> int:
        """How many reject."""
        return self._count(request_id, "reject")

    def abstention_count(self, request_id: str) -> int:
        """How many abstain."""
        return self._count(request_id, "abstain")

    def _count(self, request_id: str, choice: str) -> int:
        return sum(ballot.choice == choice for ballot in self.ballots.get(request_id, {}).values())

    def threshold(self, request_id: str) -> int:
        """How many approvals the request asks for; 0 when there is no such request."""
        request = self.requests.get(request_id)
        return request.required_approvals if request else 0

    def has_quorum(self, request_id: str) -> bool:
        """Whether as many approve as the request asks for."""
        return request_id in self.requests and self.remaining_votes_needed(request_id) == 0

    def remaining_votes_needed(self, request_id: str) -> int:
        """How many approvals are missing."""
        return max(0, self.threshold(request_id) - self.approval_count(request_id))

    def voted_senders(self, request_id: str) -> list[str]:
        """Who has cast a ballot, in order."""
        return list(self.ballots.get(request_id, {}))
