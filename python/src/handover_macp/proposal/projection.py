"""What a client knows of a Proposal session.

Of the session's policy it knows nothing: under `terminal_on_any_reject` each rejection is for good, and only the server
says so.
"""

from __future__ import annotations

import dataclasses

from .._wire import Message
from ..constants import MODE_PROPOSAL
from ..models import Envelope
from ..session.projection import SessionProjection
from ..validation import validate_word
from .records import ProposalAcceptRecord, ProposalRecord, ProposalRejectRecord

_CRITERIA = ("all_parties", "counterparty", "initiator")


class ProposalProjection(SessionProjection):
    """Follows a Proposal session; phases are Negotiating, TerminalRejected and Committed."""

    mode = MODE_PROPOSAL

    def _reset(self) -> None:
        self._proposals: dict[str, ProposalRecord] = {}
        self._accepts: list[ProposalAcceptRecord] = []
        self._rejections: list[ProposalRejectRecord] = []
        self._acceptances: dict[str, str] = {}
        self._counter_proposals = 0

    def _propose(self, envelope: Envelope, payload: Message) -> None:
        self._add(envelope, payload, tuple(payload.tags), None)

    def _counter(self, envelope: Envelope, payload: Message) -> None:
        if self._add(envelope, payload, (), payload.supersedes_proposal_id):
            self._counter_proposals += 1

    def _add(self, envelope: Envelope, payload: Message, tags: tuple[str, ...], supersedes: str | None) -> bool:
        if payload.proposal_id in self._proposals:
            return False
        self._proposals[payload.proposal_id] = ProposalRecord(
            payload.proposal_id,
            payload.title,
            payload.summary,
            payload.details,
            tags,
            envelope.sender,
            supersedes=supersedes,
        )
        return True

    def _accept(self, envelope: Envelope, payload: Message) -> None:
        self._acceptances[envelope.sender] = payload.proposal_id
        self._accepts.append(ProposalAcceptRecord(payload.proposal_id, payload.reason, envelope.sender))

    def _reject(self, envelope: Envelope, payload: Message) -> None:
        proposal = self._live(payload.proposal_id)
        if proposal is None:
            return
        self._rejections.append(
            ProposalRejectRecord(payload.proposal_id, payload.terminal, payload.reason, envelope.sender)
        )
        if payload.terminal:
            self._proposals[proposal.proposal_id] = dataclasses.replace(proposal, status="rejected")

    def _withdraw(self, envelope: Envelope, payload: Message) -> None:
        """What was accepted or rejected for good is gone with it; what was said of other proposals stays."""
        proposal = self._live(payload.proposal_id)
        if proposal is None:
            return
        self._proposals[proposal.proposal_id] = dataclasses.replace(proposal, status="withdrawn")
        self._acceptances = {who: what for who, what in self._acceptances.items() if what != proposal.proposal_id}

    _folds = {
        "Proposal": _propose,
        "CounterProposal": _counter,
        "Accept": _accept,
        "Reject": _reject,
        "Withdraw": _withdraw,
    }

    def _live(self, proposal_id: str | None) -> ProposalRecord | None:
        proposal = self._proposals.get(proposal_id or "")
        return proposal if proposal is not None and proposal.status != "withdrawn" else None

    def _open_phase(self) -> str:
        return "TerminalRejected" if self.has_terminal_rejection() else "Negotiating"

    @property
    def proposals(self) -> dict[str, ProposalRecord]:
        """Proposals and counter-proposals by id, in order."""
        return self._proposals

    @property
    def accepts(self) -> list[ProposalAcceptRecord]:
        """All acceptances, in order; `acceptances` has those that count."""
        return self._accepts

    @property
    def rejections(self) -> list[ProposalRejectRecord]:
        """All rejections, in order."""
        return self._rejections

    @property
    def acceptances(self) -> dict[str, str]:
        """The proposal that each participant accepts now."""
        return self._acceptances

    @property
    def counter_proposals(self) -> int:
        """How many counter-proposals were made; a policy may limit them."""
        return self._counter_proposals

    def active_proposals(self) -> list[ProposalRecord]:
        """Proposals that are on the table: neither withdrawn nor rejected for good."""
        return [proposal for proposal in self._proposals.values() if proposal.status == "open"]

    def latest_proposal(self) -> ProposalRecord | None:
        """The newest proposal or counter-proposal."""
        return next(iter(reversed(self._proposals.values())), None)

    def is_accepted(self, proposal_id: str) -> bool:
        """Whether somebody accepts the proposal now."""
        return proposal_id in self._acceptances.values()

    def is_terminally_rejected(self, proposal_id: str) -> bool:
        """Whether the proposal is rejected for good."""
        proposal = self._proposals.get(proposal_id)
        return proposal is not None and proposal.status == "rejected"

    def has_terminal_rejection(self) -> bool:
        """Whether some proposal is rejected for good."""
        return any(proposal.status == "rejected" for proposal in self._proposals.values())

    def is_converged(self, criterion: str = "all_parties") -> bool:
        """Whether the participants agree on a proposal, by the criterion of the session's policy."""
        validate_word("criterion", criterion, _CRITERIA)
        if self.session_start is None:
            return False
        if criterion == "initiator":
            return self._live(self._acceptances.get(self.initiator)) is not None
        asked = [proposal for proposal in self._proposals.values() if self._live(proposal.proposal_id)]
        if criterion == "counterparty":
            return any(self._all_accept(proposal, besides=proposal.sender) for proposal in asked)
        return bool(self.participants) and any(self._all_accept(proposal) for proposal in asked)

    def _all_accept(self, proposal: ProposalRecord, besides: str | None = None) -> bool:
        others = [name for name in self.participants if name != besides]
        return all(self._acceptances.get(name) == proposal.proposal_id for name in others)
