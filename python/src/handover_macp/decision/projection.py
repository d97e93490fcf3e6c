"""What a client knows of a Decision session."""

from __future__ import annotations

from .._wire import Message
from ..constants import MODE_DECISION
from ..models import Envelope
from ..session.projection import SessionProjection
from .records import (
    DecisionEvaluationRecord,
    DecisionObjectionRecord,
    DecisionProposalRecord,
    DecisionVoteRecord,
)
from .words import VOTES


class DecisionProjection(SessionProjection):
    """Follows a Decision session; phases are Proposal, Evaluation, Voting and Committed."""

    mode = MODE_DECISION

    def _reset(self) -> None:
        self._phase = "Proposal"
        self._proposals: dict[str, DecisionProposalRecord] = {}
        self._evaluations: list[DecisionEvaluationRecord] = []
        self._objections: list[DecisionObjectionRecord] = []
        self._votes: dict[str, dict[str, DecisionVoteRecord]] = {}

    def _propose(self, envelope: Envelope, payload: Message) -> None:
        if payload.proposal_id in self._proposals:
            return
        self._phase = "Evaluation"
        self._proposals[payload.proposal_id] = DecisionProposalRecord(
            payload.proposal_id, payload.option, payload.rationale, payload.supporting_data, envelope.sender
        )

    def _evaluate(self, envelope: Envelope, payload: Message) -> None:
        self._evaluations.append(
            DecisionEvaluationRecord(
                payload.proposal_id, payload.recommendation, payload.confidence, payload.reason, envelope.sender
            )
        )

    def _object(self, envelope: Envelope, payload: Message) -> None:
        self._objections.append(
            DecisionObjectionRecord(payload.proposal_id, payload.severity, payload.reason, envelope.sender)
        )

    def _vote(self, envelope: Envelope, payload: Message) -> None:
        if payload.proposal_id not in self._proposals:
            return
        votes = self._votes.setdefault(payload.proposal_id, {})
        first = votes.get(envelope.sender)
        if first is not None:
            detail = f"{envelope.sender} voted {first.vote} before; that vote counts"
            self._note("duplicate_vote", envelope, payload.proposal_id, detail)
        elif payload.vote in VOTES:
            self._phase = "Voting"
            votes[envelope.sender] = DecisionVoteRecord(
                payload.proposal_id, payload.vote, payload.reason, envelope.sender
            )

    _folds = {"Proposal": _propose, "Evaluation": _evaluate, "Objection": _object, "Vote": _vote}

    def _open_phase(self) -> str:
        return self._phase

    @property
    def proposals(self) -> dict[str, DecisionProposalRecord]:
        """Options by id, in the order in which they were proposed."""
        return self._proposals

    @property
    def evaluations(self) -> list[DecisionEvaluationRecord]:
        """All evaluations, in order."""
        return self._evaluations

    @property
    def objections(self) -> list[DecisionObjectionRecord]:
        """All objections, in order."""
        return self._objections

    @property
    def votes(self) -> dict[str, dict[str, DecisionVoteRecord]]:
        """The votes that count, by proposal id and then by sender."""
        return {proposal_id: votes for proposal_id, votes in self._votes.items() if votes}

    def vote_totals(self) -> dict[str, int]:
        """How many approve each option; every option has its number."""
        return {proposal_id: self._count(proposal_id, "APPROVE") for proposal_id in self._proposals}

    def vote_ratio(self, proposal_id: str) -> float | None:
        """The share of approvals among the votes on an option that do not abstain; None without any."""
        approve = self._count(proposal_id, "APPROVE")
        decisive = approve + self._count(proposal_id, "REJECT")
        return approve / decisive if decisive else None

    def majority_winner(self) -> str | None:
        """The option that more than half of all votes that do not abstain approve; None when there is none."""
        decisive = sum(self._count(item, "APPROVE") + self._count(item, "REJECT") for item in self._votes)
        return next((item for item in self._proposals if self._count(item, "APPROVE") * 2 > decisive), None)

    def has_blocking_objection(self, proposal_id: str) -> bool:
        """Whether somebody objected critically; only a policy makes that a veto."""
        return any(said.proposal_id == proposal_id and said.severity == "critical" for said in self._objections)

    def qualifying_evaluations(self) -> list[DecisionEvaluationRecord]:
        """Evaluations that recommend something: all but REVIEW."""
        return [said for said in self._evaluations if said.recommendation != "REVIEW"]

    def review_evaluations(self) -> list[DecisionEvaluationRecord]:
        """Evaluations that only ask for another look."""
        return [said for said in self._evaluations if said.recommendation == "REVIEW"]

    def _count(self, proposal_id: str, word: str) -> int:
        return sum(vote.vote == word for vote in self._votes.get(proposal_id, {}).values())
