"""What the server says of itself; extension modes; signals and progress."""

from __future__ import annotations

import threading
from contextlib import closing

from macp.v1 import core_pb2
from macp_sdk import (
    MODE_TASK,
    SignalWatcher,
    TaskSession,
    build_commitment_payload,
    build_envelope,
    build_session_start_payload,
    new_session_id,
    serialize_message,
)
from macp_sdk.constants import MODE_MULTI_ROUND, STANDARD_MODES
from macp_sdk.watchers import ModeRegistryWatcher, RootsWatcher

from conftest import Agent
from support import RESOLVED, fresh, status_of


def test_what_is_offered(agent: Agent) -> None:
    answer = agent("alice").initialize()
    assert answer.selected_protocol_version == "1.0"
    assert answer.runtime_info.name and answer.runtime_info.version
    assert set(answer.supported_modes) >= {*STANDARD_MODES, MODE_MULTI_ROUND}
    capabilities = answer.capabilities
    assert (
        capabilities.sessions.stream
        and capabilities.sessions.list_sessions
        and capabilities.sessions.watch_sessions
    )
    assert capabilities.cancellation.cancel_session and capabilities.manifest.get_manifest
    assert capabilities.policy_registry.what_if_replay and capabilities.policy_registry.list_changed


def test_modes_and_manifest(agent: Agent) -> None:
    client = agent("alice")
    modes = {one.mode: one for one in client.list_modes().modes}
    assert set(modes) >= set(STANDARD_MODES)
    for mode in STANDARD_MODES:
        assert modes[mode].mode_version == "1.0.0"
        assert list(modes[mode].terminal_message_types) == ["Commitment"]
    assert MODE_MULTI_ROUND in [one.mode for one in client.list_ext_modes().modes]
    manifest = client.get_manifest().manifest
    assert set(manifest.supported_modes) >= set(STANDARD_MODES)
    assert client.get_manifest(manifest.agent_id).manifest == manifest
    assert status_of(lambda: client.get_manifest("nobody")) == ("NOT_FOUND", "AGENT_NOT_FOUND")
    assert list(client.list_roots().roots) == []
    assert RootsWatcher(client).next_change().change.observed_at_unix_ms > 0


def test_an_extension_mode_comes_and_goes(agent: Agent) -> None:
    admin, alice = agent("admin"), agent("alice")
    mode = fresh("ext.e3")
    descriptor = core_pb2.ModeDescriptor(
        mode=mode,
        mode_version="2.0.0",
        title="tries",
        determinism_class="semantic-deterministic",
        participant_model="peer",
        message_types=["SessionStart", "Try", "Commitment"],
        terminal_message_types=["Commitment"],
    )
    with closing(ModeRegistryWatcher(alice).changes()) as changes:
        assert next(changes).change.registry == "modes"
        threading.Timer(0.1, admin.register_ext_mode, [descriptor]).start()
        next(changes)
    assert not (again := admin.register_ext_mode(descriptor)).ok and again.error

    session_id = new_session_id()

    def send(client, message_type: str, payload: bytes):
        fields = dict(mode=mode, session_id=session_id, sender=client.auth.sender)
        return client.send(build_envelope(message_type=message_type, payload=payload, **fields))

    start = build_session_start_payload(intent="x", participants=["alice"], ttl_ms=60_000, mode_version="")
    send(admin, "SessionStart", serialize_message(start))
    send(alice, "Try", b"anything")
    commitment = build_commitment_payload(
        action="tried", authority_scope="all", reason="x", mode_version="2.0.0"
    )
    assert send(admin, "Commitment", serialize_message(commitment)).session_state == RESOLVED
    assert admin.get_session(session_id).metadata.mode_version == "2.0.0"

    promoted = fresh("tries")
    answer = admin.promote_mode(mode, promoted)
    assert (answer.ok, answer.mode) == (True, promoted)
    assert promoted in [one.mode for one in alice.list_modes().modes]
    refused = admin.unregister_ext_mode(MODE_MULTI_ROUND)
    assert not refused.ok and refused.error


def test_signals_and_progress(agent: Agent) -> None:
    secure = agent("alice").secure
    events: list = []
    ready = threading.Event()

    def watch() -> None:
        with closing(SignalWatcher(agent("bob")).events()) as signals:
            for event in signals:
                events.append(event)
                ready.set()
                if event.envelope.message_type == "Progress":
                    return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    alice = agent("alice")
    # A signal is for who listens at that moment.
    while not ready.wait(0.1):
        assert alice.send_signal(signal_type="ping", data=b"\x01", confidence=0.5).ok
    session = TaskSession(agent("coordinator"))
    session.start(intent="x", participants=["alice", "bob"], ttl_ms=60_000)
    scope = dict(session_id=session.session_id, mode=MODE_TASK)
    assert alice.send_progress(**scope, progress_token="t", progress=1.0, total=4.0, message="a quarter").ok
    assert alice.send_progress(progress_token="t", progress=2.0, total=4.0).ok
    watcher.join(30)
    signal, progress = events[0], events[-1]
    assert (signal.envelope.sender, signal.sender_authenticated) == ("alice", secure)
    assert core_pb2.SignalPayload.FromString(signal.envelope.payload).data == b"\x01"
    assert progress.envelope.message_type == "Progress"
