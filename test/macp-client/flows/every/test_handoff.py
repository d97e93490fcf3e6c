"""Handoff Mode, through the session helper and its projection."""

from __future__ import annotations

from macp_sdk import HandoffSession
from macp_sdk.policy import HandoffAcceptanceRules, build_handoff_policy

from conftest import Agent
from support import ALICE, BOB, code_of, fresh, history, replayed

CLOSING = dict(authority_scope="support", reason="answered")


def started(agent: Agent, **options: object) -> HandoffSession:
    session = HandoffSession(agent("coordinator"), **options)
    assert session.start(intent="a shift", participants=["coordinator", "alice", "bob"], ttl_ms=60_000).ok
    return session


def test_declined_by_one_and_accepted_by_another(agent: Agent) -> None:
    session = started(agent)
    session.offer("h1", "alice", scope="night", reason="end of shift")
    assert code_of(lambda: session.offer("h2", "bob")) == "INVALID_ENVELOPE"
    session.add_context("h1", content_type="text/plain", context=b"all quiet")
    assert code_of(lambda: session.accept_handoff("h1", **BOB)) == "FORBIDDEN"
    session.decline("h1", reason="asleep", **ALICE)
    assert not session.handoff_projection.can_offer_to("alice")
    assert code_of(lambda: session.offer("h2", "alice")) == "INVALID_ENVELOPE"
    session.offer("h2", "bob", scope="night")
    session.accept_handoff("h2", reason="here", **BOB)
    session.commit(action="handoff.accepted", **CLOSING)

    seen = replayed(session, agent("bob")).handoff_projection
    assert seen.declined_targets() == ["alice"]
    assert seen.is_accepted("h2") and not seen.is_implicitly_accepted("h2")
    assert seen.get_handoff("h2").accepted_by == "bob"
    assert seen.is_positive_outcome is True


def test_a_handoff_that_everybody_declined(agent: Agent) -> None:
    session = started(agent)
    session.offer("h1", "alice")
    session.decline("h1", **ALICE)
    session.commit(action="handoff.declined", **CLOSING)
    assert replayed(session, agent("bob")).projection.is_positive_outcome is False


def test_silence_counts_as_acceptance_where_the_policy_says_so(agent: Agent) -> None:
    rules = HandoffAcceptanceRules(implicit_accept_timeout_ms=200)
    policy = build_handoff_policy(fresh("policy.silence"), "silence is consent", acceptance=rules)
    assert agent("admin").register_policy(policy).ok
    session = started(agent, policy_version=policy.policy_id)
    session.offer("h1", "bob")
    *_, synthetic = history(agent("bob"), session.session_id, 3)
    assert (synthetic.message_type, synthetic.message_id) == ("HandoffAccept", "implicit-accept:h1")
    assert synthetic.sender == "bob"
    session.projection.apply_envelope(synthetic)
    assert session.handoff_projection.is_implicitly_accepted("h1")
    session.commit(action="handoff.accepted", **CLOSING)
    assert replayed(session, agent("alice")).handoff_projection.is_implicitly_accepted("h1")
