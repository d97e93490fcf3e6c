"""Who one is, and what one may, where credentials count."""

from __future__ import annotations

from macp.v1 import core_pb2
from macp_sdk import AuthConfig, DecisionSession, MacpClient
from macp_sdk.policy import build_quorum_policy

from conftest import Agent, connection
from documented import block, run
from support import OPEN, code_of, status_of


def test_the_client_of_the_readme() -> None:
    names: dict = {}
    run(block("# TLS is the default"), names)
    with names["client"] as client:
        session = DecisionSession(client)
        assert session.start(intent="x", participants=["coordinator"], ttl_ms=60_000).session_state == OPEN
        assert session.metadata().metadata.initiator == "coordinator"


def test_only_who_may_changes_registries(agent: Agent) -> None:
    alice = agent("alice")
    descriptor = core_pb2.ModeDescriptor(
        mode="ext.mine",
        mode_version="1.0.0",
        message_types=["Commitment"],
        terminal_message_types=["Commitment"],
    )
    for action in (
        lambda: alice.register_policy(build_quorum_policy("policy.mine", "x")),
        lambda: alice.unregister_policy("policy.mine"),
        lambda: alice.register_ext_mode(descriptor),
        lambda: alice.unregister_ext_mode("ext.mine"),
        lambda: alice.promote_mode("ext.mine", "mine"),
    ):
        assert status_of(action) == ("PERMISSION_DENIED", "FORBIDDEN")


def test_what_needs_no_credential() -> None:
    with MacpClient(**connection()) as nobody:
        assert nobody.initialize().runtime_info.name
        assert nobody.list_modes().modes and nobody.list_ext_modes().modes
        assert nobody.get_manifest().manifest.agent_id
        assert list(nobody.list_roots().roots) == []
        assert nobody.get_receipt_keys()["keys"]


def test_what_needs_one(agent: Agent) -> None:
    client = agent("alice")
    unknown = AuthConfig.for_bearer("not a token", sender_hint="alice")
    session = DecisionSession(agent("alice"))
    session.start(intent="x", participants=["alice"], ttl_ms=60_000)
    watches = (client.watch_signals, client.watch_sessions, client.watch_policies)
    for action in (
        *(lambda watch=watch: next(watch(auth=unknown)) for watch in watches),
        lambda: client.cancel_session(session.session_id, reason="x", auth=unknown),
        lambda: client.get_decision_receipt(session.session_id, auth=unknown),
        lambda: client.open_stream(auth=unknown).read(timeout=30),
        lambda: client.get_session(session.session_id, auth=unknown),
        lambda: client.list_sessions(auth=unknown),
        lambda: client.list_policies(auth=unknown),
    ):
        assert status_of(action) == ("UNAUTHENTICATED", "UNAUTHENTICATED")


def test_nobody_speaks_for_another(agent: Agent) -> None:
    client = agent("alice")
    for credential in (
        AuthConfig.for_bearer("not a token", sender_hint="alice"),
        AuthConfig.for_bearer("alice-token", sender_hint="bob"),
    ):
        start = dict(intent="", participants=[], ttl_ms=1_000, auth=credential)
        assert code_of(lambda start=start: DecisionSession(client).start(**start)) == "UNAUTHENTICATED"
    # A sender that is left out is who the token says.
    session = DecisionSession(client)
    session.start(intent="", participants=["alice"], ttl_ms=60_000, auth=AuthConfig.for_bearer("alice-token"))
    assert client.get_session(session.session_id).metadata.initiator == "alice"
