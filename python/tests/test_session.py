"""Handoff sessions against the real server."""

import json

import pytest
from handover_macp import (
    AuthConfig,
    CommitmentRef,
    MacpAckError,
    MacpClient,
    MacpIdentityMismatchError,
    MacpSessionError,
    MacpTimeoutError,
    RetryPolicy,
    build_handoff_policy,
    commitment_hash,
)
from handover_macp.handoff import HandoffSession
from server_process import ServerProcess

TOKENS = {
    "tokens": [
        {"token": "token-a", "sender": "owner-a"},
        {"token": "token-b", "sender": "owner-b"},
        {"token": "token-lead", "sender": "lead", "can_manage_mode_registry": True},
    ]
}


def started(client, **options):
    session = HandoffSession(client, **options)
    session.start(intent="x", participants=["owner-b", "owner-c"], ttl_ms=60_000)
    return session


def test_the_sender_is_added_and_the_context_frozen(owner):
    session = HandoffSession(owner)
    session.start(intent="x", participants=["owner-b"], ttl_ms=60_000, context=b"frozen", extensions={"k": b"v"})
    assert session.projection.session_start.participants == ("owner-a", "owner-b")
    assert session.projection.session_start.context == b"frozen"
    assert set(session.metadata().extension_keys) == {"context", "k"}
    with HandoffSession(owner, session.session_id).open_stream(sender="owner-b") as stream:
        assert stream.read(timeout=5).message_type == "SessionStart"


def test_wrong_sender_and_unknown_offer(owner):
    session = started(owner)
    session.offer("h1", "owner-b")
    for method in (session.accept_handoff, session.decline):
        with pytest.raises(MacpAckError) as raised:
            method("h1", sender="owner-c")
        assert raised.value.code == "FORBIDDEN"
        with pytest.raises(MacpAckError) as raised:
            method("h9", sender="owner-b")
        assert raised.value.code == "INVALID_ENVELOPE"
    assert session.projection.phase == "OfferPending"


def test_commit_takes_its_defaults_from_the_history(owner):
    session = started(owner)
    session.offer("h1", "owner-b", scope="oncall")
    session.accept_handoff("h1", sender="owner-b")
    assert session.commit().session_state == "RESOLVED"
    commitment = session.projection.commitment
    assert (commitment.action, commitment.authority_scope) == ("handoff.accepted", "oncall")
    assert commitment.reason == "owner-b accepted oncall"
    assert session.projection.is_positive_outcome is True


def test_a_negative_outcome(owner):
    session = started(owner)
    session.offer("h1", "owner-b", scope="oncall")
    session.decline("h1", reason="busy", sender="owner-b")
    session.commit()
    assert session.projection.commitment.action == "handoff.declined"
    assert session.projection.is_positive_outcome is False
    assert session.projection.commitment.reason == "owner-b declined oncall"


def test_supersedes(owner):
    session = started(owner)
    session.offer("h1", "owner-b", scope="oncall")
    session.accept_handoff("h1", sender="owner-b")
    reference = CommitmentRef(session.session_id, "sha256:" + "0" * 64)
    session.commit(supersedes=reference)
    assert session.projection.commitment.supersedes == reference


def test_bound_versions_are_echoed(owner):
    owner.register_policy(build_handoff_policy("policy.python.bound", ""))
    session = started(owner, configuration_version="config.night", policy_version="policy.python.bound")
    session.offer("h1", "owner-b", scope="oncall")
    session.accept_handoff("h1", sender="owner-b")
    session.commit()
    commitment = session.projection.commitment
    assert (commitment.configuration_version, commitment.policy_version) == ("config.night", "policy.python.bound")


def test_one_who_joined_late_echoes_what_the_server_says(owner):
    session = started(owner, configuration_version="config.night")
    session.offer("h1", "owner-b", scope="oncall")
    session.accept_handoff("h1", sender="owner-b")
    joined = HandoffSession(owner, session.session_id)
    joined.commit("handoff.accepted", "oncall", "owner-b has it")
    assert joined.projection.commitment.configuration_version == "config.night"


def test_an_implicit_decline_reaches_the_projection(owner):
    owner.register_policy(build_handoff_policy("policy.python.silent", "", implicit_decline_timeout_ms=100))
    session = started(owner, policy_version="policy.python.silent")
    with session.open_stream() as stream:
        session.offer("h1", "owner-b", scope="oncall")
        while not session.projection.is_declined("h1"):
            stream.read(timeout=10)
    assert session.projection.offers["h1"].implicit
    assert session.projection.offers["h1"].outcome_reason == "implicit decline (timeout)"
    session.offer("h2", "owner-c", scope="oncall")


def test_cancel_suspend_resume_and_the_stream(owner):
    session = started(owner)
    with session.open_stream() as stream:
        assert session.suspend("a").session_state == "SUSPENDED"
        with pytest.raises(MacpAckError):
            session.offer("h1", "owner-b")
        session.resume("b")
        session.cancel("c")
        types = [stream.read(timeout=5).message_type for _ in range(4)]
    assert types == ["SessionStart", "SessionSuspend", "SessionResume", "SessionCancel"]
    assert session.projection.session_state == "CANCELLED"


def test_own_messages_and_their_echo_count_once(owner):
    session = started(owner)
    with session.open_stream() as stream:
        session.offer("h1", "owner-b")
        session.add_context("h1", content_type="text/plain", context=b"a")
        for _ in range(3):
            stream.read(timeout=5)
        with pytest.raises(MacpTimeoutError):
            stream.read(timeout=0.2)
    assert len(session.projection.transcript) == 3
    assert len(session.projection.contexts["h1"]) == 1


def test_late_context_sent_without_having_seen_the_answer(owner):
    session = started(owner)
    session.offer("h1", "owner-b")
    HandoffSession(owner, session.session_id).accept_handoff("h1", sender="owner-b")
    session.add_context("h1", content_type="text/plain", context=b"late")
    assert not session.projection.contexts["h1"][0].late  # As far as could be known.
    with session.open_stream() as stream:
        for _ in range(4):
            stream.read(timeout=5)
    assert session.projection.contexts["h1"][0].late


def test_sync_asks_for_what_others_did(owner):
    session = started(owner)
    session.offer("h1", "owner-b", scope="oncall")
    HandoffSession(owner, session.session_id).accept_handoff("h1", sender="owner-b")
    with pytest.raises(MacpSessionError, match="sync"):
        session.commit()
    assert session.sync().is_accepted("h1")
    assert session.projection.last_sequence == 3
    session.sync()
    session.commit()
    joined = HandoffSession(owner, session.session_id)
    assert joined.sync(sender="owner-b").commitment == session.projection.commitment


def test_a_commitment_supersedes_another(owner):
    first = started(owner)
    first.offer("h1", "owner-b", scope="oncall")
    first.accept_handoff("h1", sender="owner-b")
    first.commit()
    second = started(owner)
    second.offer("h1", "owner-c", scope="oncall")
    second.accept_handoff("h1", sender="owner-c")
    reference = CommitmentRef(first.session_id, commitment_hash(first.projection.commitment))
    second.commit(supersedes=reference)
    assert HandoffSession(owner, second.session_id).sync().commitment.supersedes == reference


def test_an_outsider_hears_why_not(owner):
    session = started(owner)
    stream = HandoffSession(owner, session.session_id).open_stream(sender="stranger")
    with stream, pytest.raises(MacpAckError) as raised:
        stream.read(timeout=5)
    assert raised.value.code == "FORBIDDEN"


@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
def test_a_stream_survives_a_restart_of_the_server(tmp_path, kill):
    server = ServerProcess("--dev", "--data-dir", str(tmp_path / "data"))
    try:
        with MacpClient(server.address, secure=False, auth=AuthConfig.for_dev_agent("owner-a")) as client:
            session = started(client)
            with HandoffSession(client, session.session_id).open_stream(sender="owner-b") as stream:
                assert stream.read(timeout=5).message_type == "SessionStart"
                if kill:
                    server.kill()
                    server.revive()
                else:
                    server.restart()
                session = HandoffSession(client, session.session_id, retry=RetryPolicy(max_retries=8))
                session.offer("h1", "owner-b")
                session.add_context("h1", content_type="text/plain", context=b"a")
                seen = [(stream.read(timeout=20).message_type, stream.last_sequence) for _ in range(2)]
                assert seen == [("HandoffOffer", 2), ("HandoffContext", 3)]
    finally:
        server.stop()


def test_real_tokens_are_never_replaced():
    env = {"MACP_AUTH_TOKENS_JSON": json.dumps(TOKENS), "MACP_ALLOW_INSECURE": "1"}
    server = ServerProcess("--memory-only", env=env)
    try:
        with MacpClient(server.address, secure=False, auth=AuthConfig.for_bearer("token-a")) as client:
            session = started(client)
            session.offer("h1", "owner-b", scope="oncall")
            # The token says who we are: naming another is refused by the server, not helped along by us.
            with pytest.raises(MacpAckError) as raised:
                session.accept_handoff("h1", sender="owner-b")
            assert raised.value.code == "UNAUTHENTICATED"
            pinned = AuthConfig.for_bearer("token-a", expected_sender="owner-a")
            with pytest.raises(MacpIdentityMismatchError):
                session.accept_handoff("h1", sender="owner-b", auth=pinned)
            session.accept_handoff("h1", auth=AuthConfig.for_bearer("token-b"))
            assert session.projection.offers["h1"].accepted_by == "owner-b"
            session.commit()
            with pytest.raises(MacpAckError) as raised:
                started(client, auth=AuthConfig.for_bearer("wrong"))
            assert raised.value.code == "UNAUTHENTICATED"
    finally:
        server.stop()
