"""Every call of the client against the real server."""

import time

import pytest
from handover_macp import (
    AuthConfig,
    MacpAckError,
    MacpClient,
    MacpTransportError,
    ModeDescriptor,
    build_handoff_policy,
    new_session_id,
)
from handover_macp.handoff import HandoffSession


def start(client, **options):
    session = HandoffSession(client, **options)
    session.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
    return session


def test_initialize(owner):
    result = owner.initialize()
    assert result.selected_protocol_version == "1.0"
    assert result.runtime_info.name and result.runtime_info.version
    assert "macp.mode.handoff.v1" in result.supported_modes
    assert result.capabilities["sessions"]["stream"] is True


def test_discovery(owner):
    assert "macp.mode.handoff.v1" in [mode.mode for mode in owner.list_modes()]
    assert owner.list_roots() == []
    assert "macp.mode.handoff.v1" in owner.get_manifest().supported_modes
    with pytest.raises(MacpTransportError) as raised:
        owner.get_manifest("nobody")
    assert raised.value.code == "NOT_FOUND"


def test_get_session(owner):
    session = start(owner)
    metadata = owner.get_session(session.session_id)
    assert (metadata.state, metadata.initiator) == ("OPEN", "owner-a")
    assert set(metadata.participants) == {"owner-a", "owner-b"}
    assert metadata.policy_version == "policy.default"
    with pytest.raises(MacpTransportError) as raised:
        owner.get_session(new_session_id())
    assert raised.value.code == "NOT_FOUND"
    with pytest.raises(MacpTransportError) as raised:
        owner.get_session(session.session_id, auth=AuthConfig.for_dev_agent("stranger"))
    assert raised.value.code == "PERMISSION_DENIED"


def test_list_sessions_walks_the_pages(server):
    with MacpClient(server.address, secure=False, auth=AuthConfig.for_dev_agent("lister")) as client:
        ids = {start(client).session_id for _ in range(5)}
        assert {item.session_id for item in client.list_sessions(page_size=2)} == ids
        page = client.list_sessions_page(page_size=2)
        assert len(page.sessions) == 2 and page.next_page_token
        rest = client.list_sessions_page(page_size=100, page_token=page.next_page_token)
        assert len(rest.sessions) == 3 and not rest.next_page_token
        assert {item.session_id for item in (*page.sessions, *rest.sessions)} == ids


def test_control(owner):
    session = start(owner)
    assert owner.suspend_session(session.session_id, "lunch").session_state == "SUSPENDED"
    with pytest.raises(MacpAckError) as raised:
        owner.suspend_session(session.session_id)
    assert raised.value.code == "SESSION_NOT_OPEN"
    assert not owner.suspend_session(session.session_id, raise_on_nack=False).ok
    assert owner.resume_session(session.session_id).session_state == "OPEN"
    assert owner.cancel_session(session.session_id, "done").session_state == "CANCELLED"
    assert owner.cancel_session(session.session_id).session_state == "CANCELLED"


def test_policies(owner):
    policy = build_handoff_policy("policy.python.one", "test", implicit_decline_timeout_ms=1000)
    with owner.watch_policies() as watch:
        before = {item.policy_id for item in watch.read(timeout=5).descriptors}
        assert owner.register_policy(policy).ok
        after = {item.policy_id for item in watch.read(timeout=5).descriptors}
        assert after - before == {"policy.python.one"}
    again = owner.register_policy(policy)
    assert not again.ok and "already registered" in again.error
    stored = owner.get_policy("policy.python.one")
    assert (stored.mode, stored.schema_version) == ("macp.mode.handoff.v1", 1)
    assert stored.registered_at_unix_ms > 0
    assert "policy.python.one" in {item.policy_id for item in owner.list_policies("macp.mode.handoff.v1")}
    assert owner.unregister_policy("policy.python.one").ok
    assert not owner.unregister_policy("policy.python.one").ok
    with pytest.raises(MacpTransportError) as raised:
        owner.get_policy("policy.python.one")
    assert raised.value.code == "NOT_FOUND"


def test_extension_modes(owner):
    mode = ModeDescriptor(
        mode="ext.python.v1",
        mode_version="1.0.0",
        message_types=("SessionStart", "Note", "Commitment"),
        terminal_message_types=("Commitment",),
        schema_uris={"proto": "none"},
    )
    with owner.watch_mode_registry() as watch:
        assert watch.read(timeout=5).registry == "modes"
        assert owner.register_ext_mode(mode).ok
        assert watch.read(timeout=5).observed_at_unix_ms > 0
    listed = {item.mode: item for item in owner.list_ext_modes()}
    assert listed["ext.python.v1"].message_types == mode.message_types
    promoted = owner.promote_mode("ext.python.v1", "ext.python.better.v1")
    assert (promoted.ok, promoted.mode) == (True, "ext.python.better.v1")
    assert not owner.unregister_ext_mode("ext.python.v1").ok


def test_watch_sessions(server):
    with MacpClient(server.address, secure=False, auth=AuthConfig.for_dev_agent("watcher")) as client:
        first = start(client)
        with client.watch_sessions() as watch:
            assert (event := watch.read(timeout=5)).event_type == "CREATED"
            assert event.session.session_id == first.session_id
            second = start(client)
            assert watch.read(timeout=5).session.session_id == second.session_id
            second.suspend()
            second.resume()
            second.cancel()
            assert [watch.read(timeout=5).event_type for _ in range(3)] == ["SUSPENDED", "RESUMED", "CANCELLED"]


def test_watch_roots(owner):
    with owner.watch_roots() as watch:
        assert watch.read(timeout=5).observed_at_unix_ms >= 0


def test_signals_need_and_carry_a_credential(server, owner):
    with MacpClient(server.address, secure=False) as anonymous, pytest.raises(MacpTransportError) as raised:
        anonymous.watch_signals().read(timeout=5)
    assert raised.value.code == "UNAUTHENTICATED"
    with owner.watch_signals() as watch:
        deadline = time.monotonic() + 5
        received = None
        while received is None and time.monotonic() < deadline:  # Nothing tells when the watch is in place.
            owner.send_signal("load.high", data=b"1", sender="owner-b")
            try:
                received = watch.read(timeout=0.2)
            except MacpTransportError:
                continue
        assert received is not None
        assert (received.message_type, received.sender) == ("Signal", "owner-b")
    assert owner.send_progress("t1", 1, 10, message="started").ok


def test_an_accepted_message_has_no_error(owner):
    session = start(owner)
    ack = session.offer("h1", "owner-b")
    assert ack.ok and not ack.duplicate and ack.error is None and ack.accepted_at_unix_ms > 0
    again = owner.send(session.projection.transcript[-1])
    assert again.ok and again.duplicate


def test_send_tells_refusals(owner):
    session = start(owner)
    with pytest.raises(MacpAckError) as raised:
        session.accept_handoff("nope", sender="owner-b")
    assert raised.value.code == "INVALID_ENVELOPE"
    assert raised.value.session_id == session.session_id and raised.value.message_id


def test_an_unreachable_server():
    with MacpClient("127.0.0.1:1", secure=False) as client, pytest.raises(MacpTransportError) as raised:
        client.initialize(timeout=5)
    assert raised.value.code == "UNAVAILABLE"


def test_sender_hint(owner):
    assert owner.sender_hint() == "owner-a"
    assert owner.sender_hint(AuthConfig.for_bearer("t")) == ""
