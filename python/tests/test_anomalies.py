"""Messages that no conforming server accepts: the first counts, the later is noted (macp-2026:19)."""

import dataclasses
import json

import pytest
from handover_macp import MacpSessionError, ProjectionAnomaly, build_envelope, new_session_id
from handover_macp.decision import DecisionProjection
from handover_macp.handoff import HandoffProjection
from handover_macp.multi_round import MultiRoundProjection
from handover_macp.proposal import ProposalProjection
from handover_macp.quorum import QuorumProjection
from handover_macp.task import TaskProjection

SESSION = new_session_id()


def told(projection, *messages):
    """Applies messages of the form (type, sender, fields), with message ids m1, m2, ..."""
    for number, (message_type, sender, fields) in enumerate(messages, start=1):
        projection.apply_envelope(
            build_envelope(
                mode=projection.mode,
                message_type=message_type,
                session_id=SESSION,
                payload=fields,
                sender=sender,
                message_id=f"m{number}",
            )
        )
    return projection


CASES = {
    "duplicate_vote": (
        DecisionProjection,
        ("Proposal", "ann", {"proposal_id": "x", "option": "o"}),
        ("Vote", "ann", {"proposal_id": "x", "vote": "APPROVE"}),
        ("Vote", "ann", {"proposal_id": "x", "vote": "REJECT"}),
    ),
    "duplicate_ballot": (
        QuorumProjection,
        ("ApprovalRequest", "lead", {"request_id": "x", "action": "a", "required_approvals": 1}),
        ("Approve", "ann", {"request_id": "x"}),
        ("Reject", "ann", {"request_id": "x"}),
    ),
    "duplicate_task_accept": (
        TaskProjection,
        ("TaskRequest", "lead", {"task_id": "x", "title": "t"}),
        ("TaskAccept", "ann", {"task_id": "x"}),
        ("TaskAccept", "ann", {"task_id": "x"}),
    ),
    "settled_handoff": (
        HandoffProjection,
        ("HandoffOffer", "lead", {"handoff_id": "x", "target_participant": "ann"}),
        ("HandoffAccept", "ann", {"handoff_id": "x"}),
        ("HandoffDecline", "ann", {"handoff_id": "x"}),
    ),
}
NAMES = ["kind", "mode", "message_type", "message_id", "sender", "subject_id", "detail"]


@pytest.mark.parametrize("kind", list(CASES))
def test_the_first_wins_and_the_later_is_noted(kind):
    projection_type, *messages = CASES[kind]
    once = told(projection_type(), *messages[:2])
    twice = told(projection_type(), *messages)
    assert once.phase == twice.phase
    assert once.anomalies == []
    (anomaly,) = twice.anomalies
    assert (anomaly.kind, anomaly.mode, anomaly.message_type) == (kind, twice.mode, messages[2][0])
    assert (anomaly.message_id, anomaly.sender, anomaly.subject_id) == ("m3", "ann", "x")
    assert anomaly.detail
    assert [field.name for field in dataclasses.fields(ProjectionAnomaly)] == NAMES


def test_what_the_first_said_stays():
    projection_type, *messages = CASES["duplicate_vote"]
    assert told(projection_type(), *messages).votes["x"]["ann"].vote == "APPROVE"
    projection_type, *messages = CASES["duplicate_ballot"]
    assert told(projection_type(), *messages).ballots["x"]["ann"].choice == "approve"
    projection_type, *messages = CASES["settled_handoff"]
    assert told(projection_type(), *messages).is_accepted("x")


def test_empty_message_ids_tell_nothing_apart():
    projection = MultiRoundProjection()
    message = build_envelope(
        mode=projection.mode, message_type="Contribute", session_id=SESSION, payload={"value": "v"}, sender="ann"
    )
    nameless = dataclasses.replace(message, message_id="")
    assert projection.apply_envelope(nameless) and projection.apply_envelope(nameless)
    assert len(projection.transcript) == 2
    ordered = MultiRoundProjection()
    assert [ordered.apply_envelope(nameless, place) for place in (1, 2, 2)] == [True, True, False]
    assert len(ordered.contributions) == 2


def test_the_first_commitment_counts():
    commitments = [("Commitment", "lead", {"action": action}) for action in ("one", "two")]
    projection = told(MultiRoundProjection(), *commitments, ("Contribute", "ann", {"value": "late"}))
    assert (projection.commitment.action, projection.phase) == ("one", "Committed")


@pytest.mark.parametrize(
    ("payload", "value"),
    [
        ("0a066465706c6f79", "deploy"),
        ("7b2276616c7565223a226465706c6f79227d", "deploy"),
        ("0a0d7b2276616c7565223a2278227d", '{"value":"x"}'),
        ("0a0a7b2261223a227878227d", '{"a":"xx"}'),
        # Also protobuf with unknown fields, but not as protobuf would write it.
        (b'\t{"value":"'.hex() + b"x".hex() * 32 + b'"}'.hex(), "x" * 32),
        ("0a0178100a", "x"),
        ("", None),
        (b"[1]".hex(), None),
        (json.dumps({"value": 1}).encode().hex(), None),
        ("ff", None),
        ((b"[" * 100_000).hex(), None),
    ],
)
def test_contributions_of_older_senders(payload, value):
    """macp-2026:12"""
    projection = MultiRoundProjection()
    projection.apply_envelope(
        build_envelope(
            mode=projection.mode,
            message_type="Contribute",
            session_id=SESSION,
            payload=bytes.fromhex(payload),
            sender="ann",
        )
    )
    assert [said.value for said in projection.contributions] == ([] if value is None else [value])


def test_half_of_the_votes_is_no_majority():
    projection = told(
        DecisionProjection(),
        ("Proposal", "ann", {"proposal_id": "x", "option": "o"}),
        ("Proposal", "ann", {"proposal_id": "y", "option": "p"}),
        ("Vote", "ann", {"proposal_id": "x", "vote": "APPROVE"}),
        ("Vote", "bob", {"proposal_id": "y", "vote": "APPROVE"}),
        ("Vote", "eve", {"proposal_id": "y", "vote": "ABSTAIN"}),
    )
    assert projection.majority_winner() is None


def test_counterparties_are_all_but_the_author():
    projection = told(
        ProposalProjection(),
        ("SessionStart", "ann", {"participants": ["ann", "bob", "eve"]}),
        ("Proposal", "ann", {"proposal_id": "x"}),
        ("Accept", "bob", {"proposal_id": "x"}),
        ("Accept", "eve", {"proposal_id": "x"}),
    )
    assert [projection.is_converged(word) for word in ("all_parties", "counterparty", "initiator")] == [False, True, False]
    with pytest.raises(MacpSessionError, match="criterion"):
        projection.is_converged("everybody")
