"""The transcripts that both SDKs run (test/sdk/projection-fixtures): both must answer every question alike."""

import base64
import json
from datetime import datetime

import pytest
from google.protobuf import json_format
from handover_macp import MODE_HANDOFF, Envelope, HandoffProjection
from handover_macp.constants import CONTROL_TYPES
from handover_macp.envelopes import _payload_class
from server_process import ROOT
from tell_projection import PROJECTIONS
from tell_projection import tell as tell_mode

FOLDER = ROOT / "test" / "sdk" / "projection-fixtures"
FIXTURES = sorted(FOLDER.glob("*.json"))


def read_envelope(item):
    """An envelope from canonical JSON."""
    if "payload_b64" in item:
        payload = base64.b64decode(item["payload_b64"])
    else:
        message = _payload_class(item["mode"], item["message_type"])()
        payload = json_format.ParseDict(item["payload"], message).SerializeToString()
    names = ("macp_version", "mode", "message_type", "message_id", "session_id", "sender")
    at = datetime.fromisoformat(item["timestamp"].replace("Z", "+00:00"))
    fields = {name: item[name] for name in names}
    return Envelope(**fields, timestamp_unix_ms=round(at.timestamp() * 1000), payload=payload)


def tell_offer(offer):
    answered = offer.disposition != "offered"
    return {
        "target_participant": offer.target_participant,
        "scope": offer.scope,
        "reason": offer.reason,
        "offered_by": offer.offered_by,
        "disposition": offer.disposition,
        "implicit": offer.implicit,
        "answered_by": (offer.accepted_by or offer.declined_by) if answered else None,
        "answer_reason": offer.outcome_reason if answered else None,
    }


def tell_context(context):
    return {
        "content_type": context.content_type,
        "context_b64": base64.b64encode(context.context).decode(),
        "sender": context.sender,
        "late": context.late,
    }


def tell_commitment(commitment):
    if commitment is None:
        return None
    names = (
        "commitment_id",
        "action",
        "authority_scope",
        "reason",
        "mode_version",
        "policy_version",
        "configuration_version",
        "outcome_positive",
    )
    told = {name: getattr(commitment, name) for name in names}
    if commitment.supersedes is not None:
        told["supersedes"] = vars(commitment.supersedes)
    return told


def tell(projection):
    """The projection in the words of the fixtures."""
    active = projection.active_offer()
    return {
        "detailed_phase": projection.detailed_phase,
        "offers": {key: tell_offer(offer) for key, offer in projection.offers.items()},
        "contexts": {key: [tell_context(item) for item in items] for key, items in projection.contexts.items()},
        "commitment": tell_commitment(projection.commitment),
        "active_offer": active.handoff_id if active else None,
        "transcript_length": len(projection.transcript),
    }


def test_there_are_fixtures():
    assert FIXTURES, f"no fixtures in {FOLDER}"


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture(path):
    fixture = json.loads(path.read_text())
    expected = fixture["expected"]
    # An offer without contexts may be missing or have an empty list.
    expected["contexts"] = {key: items for key, items in expected["contexts"].items() if items}
    envelopes = [read_envelope(item) for item in fixture["transcript"]]
    projection = HandoffProjection()
    for envelope in envelopes:
        projection.apply_envelope(envelope)
    assert tell(projection) == expected
    assert list(projection.offers) == list(expected["offers"])
    for envelope in envelopes:
        projection.apply_envelope(envelope)
    assert tell(projection) == expected


OF_MODES = sorted(FOLDER.glob("*/*.json"))


def test_there_are_fixtures_of_every_mode():
    modes = {json.loads(path.read_text())["transcript"][0]["mode"] for path in OF_MODES}
    assert modes == set(PROJECTIONS)


@pytest.mark.parametrize("path", OF_MODES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_fixture_of_a_mode(path):
    fixture = json.loads(path.read_text())
    expected = fixture["expected"]
    envelopes = [read_envelope(item) for item in fixture["transcript"]]
    projection_type = PROJECTIONS[envelopes[0].mode]
    if projection_type.mode == MODE_HANDOFF:
        # Each SDK has the phases of its seed; the detailed one is common.
        del expected["phase"]
    told = tell_projection(projection_type(), envelopes)
    assert {key: told[key] for key in expected} == expected
    assert set(told) - set(expected) <= {"phase"}
    # Once more, and as the stream brings them: nothing changes.
    for applied in (envelopes, [*envelopes, *envelopes]):
        assert tell_projection(projection_type(), applied) == told
    assert tell_placed(projection_type(), envelopes) == told


def tell_projection(projection, envelopes):
    for envelope in envelopes:
        projection.apply_envelope(envelope)
    return tell_mode(projection)


def tell_placed(projection, envelopes):
    """In the reverse order, each with its place in the history; suspend, resume and cancel stand behind another."""
    sequence, placed, behind = 0, [], []
    for envelope in envelopes:
        sequence += envelope.message_type not in CONTROL_TYPES
        (behind if envelope.message_type in CONTROL_TYPES else placed).append((envelope, sequence))
    for envelope, place in [*reversed(placed), *behind]:
        projection.apply_envelope(envelope, place)
    return tell_mode(projection)
