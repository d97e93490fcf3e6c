"""Projections in the words of the shared fixtures (test/sdk/projection-fixtures/README.md)."""

from __future__ import annotations

import base64
import dataclasses

from handover_macp.constants import CONTROL_TYPES
from handover_macp.decision import DecisionProjection
from handover_macp.handoff import HandoffProjection
from handover_macp.multi_round import MultiRoundProjection
from handover_macp.proposal import ProposalProjection
from handover_macp.quorum import QuorumProjection
from handover_macp.task import TaskProjection


def base64_of(data):
    return None if data is None else base64.b64encode(data).decode()


def record(value):
    """The fields of a record: bytes as base64, without what is not there."""
    fields = {}
    for field in dataclasses.fields(value):
        item = getattr(value, field.name)
        if isinstance(item, bytes):
            fields[f"{field.name}_b64"] = base64_of(item)
        elif item is not None:
            fields[field.name] = list(item) if isinstance(item, tuple) else item
    return fields


def records(values):
    return [record(value) for value in values]


def commitment_of(projection):
    if projection.commitment is None:
        return None
    fields = {key: value for key, value in record(projection.commitment).items() if key != "sender"}
    if projection.commitment.supersedes:
        fields["supersedes"] = record(projection.commitment.supersedes)
    return fields


def anomaly(value):
    return {key: item for key, item in record(value).items() if key != "detail"}


def decision(told):
    return {
        "proposals": records(told.proposals.values()),
        "evaluations": records(told.evaluations),
        "objections": records(told.objections),
        "votes": {key: records(votes.values()) for key, votes in told.votes.items()},
        "vote_totals": told.vote_totals(),
        "vote_ratio": {key: told.vote_ratio(key) for key in told.proposals},
        "majority_winner": told.majority_winner(),
        "has_blocking_objection": {key: told.has_blocking_objection(key) for key in told.proposals},
        "qualifying_evaluations": len(told.qualifying_evaluations()),
        "review_evaluations": len(told.review_evaluations()),
    }


def proposal(told):
    latest = told.latest_proposal()
    return {
        "proposals": records(told.proposals.values()),
        "accepts": records(told.accepts),
        "rejections": records(told.rejections),
        "acceptances": told.acceptances,
        "counter_proposals": told.counter_proposals,
        "active_proposals": [item.proposal_id for item in told.active_proposals()],
        "latest_proposal": latest.proposal_id if latest else None,
        "is_accepted": {key: told.is_accepted(key) for key in told.proposals},
        "is_terminally_rejected": {key: told.is_terminally_rejected(key) for key in told.proposals},
        "is_converged": {word: told.is_converged(word) for word in ("all_parties", "counterparty", "initiator")},
    }


def task(told):
    return {
        "task": record(told.task) if told.task else None,
        "updates": records(told.updates),
        "completions": records(told.completions),
        "failures": records(told.failures),
        "progress_of": {key: told.progress_of(key) for key in told.tasks},
        "is_complete": {key: told.is_complete(key) for key in told.tasks},
        "is_failed": {key: told.is_failed(key) for key in told.tasks},
        "is_retryable": {key: told.is_retryable(key) for key in told.tasks},
        "active_tasks": [item.task_id for item in told.active_tasks()],
        "has_declined": {name: told.has_declined(name) for name in told.participants},
        "can_accept": {name: told.can_accept(name) for name in told.participants},
        "negative_commit_eligible": told.negative_commit_eligible,
    }


def quorum(told):
    keys = list(told.requests)
    return {
        "requests": records(told.requests.values()),
        "ballots": {key: records(ballots.values()) for key, ballots in told.ballots.items()},
        "approval_count": {key: told.approval_count(key) for key in keys},
        "rejection_count": {key: told.rejection_count(key) for key in keys},
        "abstention_count": {key: told.abstention_count(key) for key in keys},
        "threshold": {key: told.threshold(key) for key in keys},
        "has_quorum": {key: told.has_quorum(key) for key in keys},
        "remaining_votes_needed": {key: told.remaining_votes_needed(key) for key in keys},
        "voted_senders": {key: told.voted_senders(key) for key in keys},
    }


def multi_round(told):
    return {
        "round": told.round,
        "is_converged": told.is_converged,
        "converged_value": told.converged_value,
        "values": told.values,
        "contributions": records(told.contributions),
    }


def handoff(told):
    active, accepted = told.active_offer(), told.accepted_offer()
    names = ("target_participant", "disposition", "implicit")
    return {
        "detailed_phase": told.detailed_phase,
        "offers": {key: {name: getattr(offer, name) for name in names} for key, offer in told.offers.items()},
        "active_offer": active.handoff_id if active else None,
        "accepted_offer": accepted.handoff_id if accepted else None,
        "declined_targets": told.declined_targets(),
        "can_offer_to": {name: told.can_offer_to(name) for name in told.participants},
    }


OF_MODE = {
    DecisionProjection: decision,
    HandoffProjection: handoff,
    MultiRoundProjection: multi_round,
    ProposalProjection: proposal,
    QuorumProjection: quorum,
    TaskProjection: task,
}
PROJECTIONS = {projection.mode: projection for projection in OF_MODE}


def tell(told):
    """Everything that a projection can be asked."""
    return {
        "phase": told.phase,
        "session_state": told.session_state,
        "initiator": told.initiator or None,
        "frozen_context_b64": base64_of(told.frozen_context),
        "is_committed": told.is_committed,
        "is_positive_outcome": told.is_positive_outcome,
        "commitment": commitment_of(told),
        "anomalies": [anomaly(item) for item in told.anomalies],
        "transcript_length": len(told.transcript),
        "sequence": sum(item.message_type not in CONTROL_TYPES for item in told.transcript),
        **OF_MODE[type(told)](told),
    }
