"""The projection: order, repetition, and what it tells."""

import itertools

import pytest
from handover_macp import MacpSessionError, build_envelope, new_session_id
from handover_macp.handoff import HandoffProjection

SESSION = new_session_id()


def message(message_type, sender="owner-a", message_id=None, **fields):
    return build_envelope(
        mode="macp.mode.handoff.v1",
        message_type=message_type,
        session_id=SESSION,
        payload=fields,
        sender=sender,
        message_id=message_id,
    )


def offer(handoff_id, target="owner-b"):
    return message("HandoffOffer", handoff_id=handoff_id, target_participant=target, scope="oncall")


def context(handoff_id, data=b"x"):
    return message("HandoffContext", handoff_id=handoff_id, content_type="text/plain", context=data)


def accept(handoff_id, sender="owner-b"):
    return message("HandoffAccept", sender, handoff_id=handoff_id, accepted_by=sender)


def decline(handoff_id, sender="owner-b"):
    return message("HandoffDecline", sender, handoff_id=handoff_id, declined_by=sender)


def commitment(positive=True):
    return message("Commitment", commitment_id="c1", action="done", outcome_positive=positive)


def project(*envelopes):
    projection = HandoffProjection()
    for envelope in envelopes:
        projection.apply_envelope(envelope)
    return projection


def told(projection):
    """Everything the projection says, for comparison."""
    return (
        projection.offers,
        projection.contexts,
        projection.commitment,
        projection.phase,
        projection.detailed_phase,
        projection.session_state,
        [envelope.message_id for envelope in projection.transcript],
    )


def test_the_five_phases():
    steps = [offer("h1"), context("h1"), decline("h1"), offer("h2", "owner-c"), accept("h2", "owner-c"), commitment()]
    projection = HandoffProjection()
    phases = [(projection.phase, projection.detailed_phase)]
    for step in steps:
        projection.apply_envelope(step)
        phases.append((projection.phase, projection.detailed_phase))
    assert phases == [
        ("Pending", "Pending"),
        ("OfferPending", "OfferPending"),
        ("OfferPending", "ContextSharing"),
        ("Declined", "Declined"),
        ("OfferPending", "OfferPending"),
        ("Accepted", "Accepted"),
        ("Committed", "Committed"),
    ]


def test_applying_twice_changes_nothing():
    steps = [offer("h1"), context("h1"), accept("h1"), context("h1", b"late"), commitment()]
    once = project(*steps)
    twice = project(*itertools.chain.from_iterable((step, step) for step in steps), *steps)
    assert told(once) == told(twice)
    assert not twice.apply_envelope(steps[0])


def test_queries():
    projection = project(offer("h1"))
    assert projection.active_offer() is projection.offers["h1"]
    assert projection.handoffs is projection.offers
    assert projection.pending_handoffs() == [projection.get_handoff("h1")]
    assert projection.offers["h1"].status == "offered"
    assert projection.is_positive_outcome is False and not projection.is_committed
    projection.apply_envelope(context("h1"))
    assert projection.offers["h1"].status == "context_sent"
    assert projection.offers["h1"].context_content_type == "text/plain"
    projection.apply_envelope(accept("h1"))
    assert projection.offers["h1"].status == projection.offers["h1"].disposition == "accepted"
    assert projection.active_offer() is None and projection.pending_handoffs() == []
    assert projection.has_accepted_offer() and projection.has_accepted_offer("h1")
    assert not projection.has_accepted_offer("h2") and not projection.is_implicitly_accepted("h1")
    assert not projection.is_declined("h1") and not projection.is_accepted("nope")
    assert projection.get_handoff("nope") is None
    projection.apply_envelope(commitment(False))
    assert projection.is_committed and projection.is_positive_outcome is False


def test_contexts_keep_bytes_and_lateness():
    projection = project(offer("h1"), context("h1", b"\x00\xff"), accept("h1"), context("h1", b"after"))
    assert [(item.context, item.late) for item in projection.contexts["h1"]] == [(b"\x00\xff", False), (b"after", True)]


def test_a_record_in_hand_does_not_change():
    projection = project(offer("h1"))
    before = projection.offers["h1"]
    projection.apply_envelope(accept("h1"))
    assert before.disposition == "offered"


def test_a_used_handoff_id_stays_with_its_offer():
    projection = project(offer("h1"), decline("h1"), offer("h1", "owner-c"))
    assert projection.offers["h1"].target_participant == "owner-b"
    assert projection.is_declined("h1")


def test_answers_of_a_time_out():
    accepted = message("HandoffAccept", "owner-b", "implicit-accept:h1", handoff_id="h1", implicit=True)
    assert project(offer("h1"), accepted).is_implicitly_accepted("h1")
    declined = message("HandoffDecline", "owner-b", "implicit-decline:h1", handoff_id="h1")
    assert project(offer("h1"), declined).offers["h1"].implicit


def test_control_envelopes_set_the_state():
    projection = project(offer("h1"))
    for kind, state in [("SessionSuspend", "SUSPENDED"), ("SessionResume", "OPEN"), ("SessionCancel", "CANCELLED")]:
        projection.apply_envelope(message(kind, reason="x"))
        assert projection.session_state == state


def test_the_order_of_the_history_wins_over_the_order_of_arrival():
    """We sent context without having seen the answer; the stream then shows that the answer came first."""
    first, answer, late = offer("h1"), accept("h1"), context("h1")
    projection = HandoffProjection(SESSION)
    projection.apply_envelope(first)
    projection.apply_envelope(late)
    assert not projection.contexts["h1"][0].late
    for sequence, envelope in enumerate([first, answer, late], start=1):
        projection.apply_envelope(envelope, sequence)
    assert projection.contexts["h1"][0].late
    assert told(projection) == told(project(first, answer, late))


def test_any_mix_of_own_messages_and_stream_ends_alike():
    """Whichever own messages are applied first, in whatever position the stream stands, the end is the same."""
    history = [offer("h1"), context("h1"), decline("h1"), context("h1", b"late"), offer("h2", "owner-c")]
    own = [0, 1, 3, 4]
    expected = told(project(*history))
    for cut in range(len(history) + 1):
        for count in range(len(own) + 1):
            for early in itertools.combinations(own, count):
                projection = HandoffProjection(SESSION)
                for place in range(cut):
                    projection.apply_envelope(history[place], place + 1)
                for place in early:
                    projection.apply_envelope(history[place])
                for place, envelope in enumerate(history):
                    projection.apply_envelope(envelope, place + 1)
                assert told(projection) == expected


def test_a_gap_is_filled():
    history = [offer("h1"), context("h1"), decline("h1"), context("h1", b"late")]
    projection = HandoffProjection(SESSION)
    for sequence in (3, 4, 1, 2, 2):
        projection.apply_envelope(history[sequence - 1], sequence)
    assert projection.last_sequence == 4
    assert told(projection) == told(project(*history))


def test_another_session_is_refused():
    projection = project(offer("h1"))
    stranger = build_envelope(
        mode="macp.mode.handoff.v1", message_type="HandoffOffer", session_id=new_session_id(), payload={}
    )
    with pytest.raises(MacpSessionError, match="envelope"):
        projection.apply_envelope(stranger)
