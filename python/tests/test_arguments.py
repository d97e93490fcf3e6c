"""Bad input fails before the network, with an error that names the argument."""

import asyncio

import handover_macp
import pytest
from handover_macp import AuthConfig, CommitmentRef, MacpClient, MacpSessionError, Root, build_envelope
from handover_macp.agent import HandoffWorker, Participant
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient
from handover_macp.handoff import HandoffSession

# Nothing listens on this port: a call that reached the network would fail with another error.
NOWHERE = "127.0.0.1:1"
AUTH = AuthConfig.for_dev_agent("owner-a")
START = {"intent": "x", "participants": ["owner-b"], "ttl_ms": 1000}

CASES = [
    ("intent", "start", (), {**START, "intent": " "}),
    ("participants", "start", (), {**START, "participants": []}),
    ("participants", "start", (), {**START, "participants": "owner-b"}),
    ("participants", "start", (), {**START, "participants": ["owner-b", " "]}),
    ("participants", "start", (), {**START, "participants": ["owner-b", "owner-b"]}),
    ("participants", "start", (), {**START, "participants": ["owner-a"]}),
    ("participants", "start", (), {**START, "participants": [f"p{n}" for n in range(1001)]}),
    ("ttl_ms", "start", (), {**START, "ttl_ms": 0}),
    ("ttl_ms", "start", (), {**START, "ttl_ms": 86_400_001}),
    ("ttl_ms", "start", (), {**START, "ttl_ms": 1.5}),
    ("ttl_ms", "start", (), {**START, "ttl_ms": True}),
    ("max_suspend_ms", "start", (), {**START, "max_suspend_ms": -1}),
    ("context", "start", (), {**START, "context": "text"}),
    ("context", "start", (), {**START, "context": b"a", "extensions": {"context": b"b"}}),
    ("extensions", "start", (), {**START, "extensions": {"k": "text"}}),
    ("sender", "start", (), {**START, "sender": ""}),
    ("handoff_id", "offer", ("", "owner-b"), {}),
    ("handoff_id", "offer", ("a\nb", "owner-b"), {}),
    ("handoff_id", "offer", ("x" * 257, "owner-b"), {}),
    ("handoff_id", "offer", (None, "owner-b"), {}),
    ("target_participant", "offer", ("h1", " "), {}),
    ("target_participant", "offer", ("h1", "owner-a"), {}),
    ("handoff_id", "add_context", ("",), {}),
    ("context", "add_context", ("h1",), {"context": "text"}),
    ("content_type", "add_context", ("h1",), {"content_type": ""}),
    ("handoff_id", "accept_handoff", ("",), {}),
    ("handoff_id", "decline", (" ",), {}),
    ("action", "commit", (), {}),
    ("action", "commit", (), {"action": " "}),
    ("authority_scope", "commit", (), {"action": "handoff.accepted", "authority_scope": " "}),
    ("reason", "commit", (), {"action": "handoff.accepted", "reason": ""}),
    ("outcome_positive", "commit", (), {"action": "done", "authority_scope": "s", "reason": "r"}),
    (
        "outcome_positive",
        "commit",
        (),
        {"action": "handoff.no_target", "authority_scope": "s", "reason": "r", "outcome_positive": True},
    ),
    (
        "outcome_positive",
        "commit",
        (),
        {"action": "handoff.declined", "authority_scope": "s", "reason": "r", "outcome_positive": True},
    ),
    (
        "outcome_positive",
        "commit",
        (),
        {"action": "handoff.accepted", "authority_scope": "s", "reason": "r", "outcome_positive": False},
    ),
    (
        "supersedes",
        "commit",
        (),
        {"action": "handoff.accepted", "authority_scope": "s", "reason": "r", "supersedes": CommitmentRef("s1", "sha256:00")},
    ),
]


@pytest.mark.parametrize(("argument", "method", "args", "kwargs"), CASES)
def test_session_methods(argument, method, args, kwargs):
    with MacpClient(NOWHERE, secure=False, auth=AUTH) as client, pytest.raises(MacpSessionError) as raised:
        getattr(HandoffSession(client), method)(*args, **kwargs)
    assert raised.value.argument == argument
    assert str(raised.value).startswith(f"{argument} ")


@pytest.mark.parametrize(("argument", "method", "args", "kwargs"), CASES)
def test_async_session_methods(argument, method, args, kwargs):
    async def run():
        async with AsyncMacpClient(NOWHERE, secure=False, auth=AUTH) as client:
            await getattr(AsyncHandoffSession(client), method)(*args, **kwargs)

    with pytest.raises(MacpSessionError) as raised:
        asyncio.run(run())
    assert raised.value.argument == argument


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("session_id", {"session_id": "short"}),
        ("session_id", {"session_id": "6F1C2A7E-3B54-4C1D-9E0A-1F2B3C4D5E6F"}),
        ("session_id", {"session_id": "6f1c2a7e-3b54-1c1d-9e0a-1f2b3c4d5e6f"}),
        ("session_id", {"session_id": ""}),
        ("mode_version", {"mode_version": "2.0.0"}),
        ("mode_version", {"mode_version": ""}),
        ("configuration_version", {"configuration_version": " "}),
        ("policy_version", {"policy_version": ""}),
    ],
)
def test_session_construction(argument, options):
    with MacpClient(NOWHERE, secure=False, auth=AUTH) as client, pytest.raises(MacpSessionError) as raised:
        HandoffSession(client, **options)
    assert raised.value.argument == argument


OF_MODES = [
    ("Decision", "participants", "start", (), {**START, "participants": []}),
    ("Decision", "proposal_id", "propose", ("", "x"), {}),
    ("Decision", "option", "propose", ("p", " "), {}),
    ("Decision", "supporting_data", "propose", ("p", "x"), {"supporting_data": "text"}),
    ("Decision", "recommendation", "evaluate", ("p", "maybe"), {"confidence": 1}),
    ("Decision", "confidence", "evaluate", ("p", "APPROVE"), {"confidence": 1.01}),
    ("Decision", "confidence", "evaluate", ("p", "APPROVE"), {"confidence": float("nan")}),
    ("Decision", "severity", "raise_objection", ("p",), {"reason": "x", "severity": ""}),
    ("Decision", "reason", "raise_objection", ("p",), {"reason": ""}),
    ("Decision", "vote", "vote", ("p", "YES"), {}),
    ("Decision", "vote", "vote", ("p", None), {}),
    ("Decision", "message_id", "vote", ("p", "APPROVE"), {"message_id": " "}),
    ("Decision", "outcome_positive", "commit", ("done", "s", "r"), {}),
    ("Proposal", "tags", "propose", ("p",), {"tags": "abc"}),
    ("Proposal", "details", "propose", ("p",), {"details": "text"}),
    ("Proposal", "supersedes_proposal_id", "counter_propose", ("p", ""), {}),
    ("Proposal", "proposal_id", "withdraw", ("\n",), {}),
    ("Proposal", "payload", "accept", ("p",), {"reason": 7}),
    ("Task", "participants", "start", (), {**START, "participants": ["owner-a"]}),
    ("Task", "title", "request_task", ("t", ""), {}),
    ("Task", "deadline_unix_ms", "request_task", ("t", "x"), {"deadline_unix_ms": -1}),
    ("Task", "input_data", "request_task", ("t", "x"), {"input_data": {}}),
    ("Task", "progress", "update_task", ("t",), {"progress": "half"}),
    ("Task", "task_id", "complete_task", ("",), {}),
    ("Task", "output", "complete_task", ("t",), {"output": "text"}),
    ("Quorum", "required_approvals", "request_approval", ("r", "x"), {"required_approvals": 0}),
    ("Quorum", "action", "request_approval", ("r", ""), {"required_approvals": 1}),
    ("Quorum", "request_id", "abstain", ("",), {}),
    ("MultiRound", "value", "contribute", (7,), {}),
]


@pytest.mark.parametrize(("mode", "argument", "method", "args", "kwargs"), OF_MODES)
def test_methods_of_other_modes(mode, argument, method, args, kwargs):
    with MacpClient(NOWHERE, secure=False, auth=AUTH) as client, pytest.raises(MacpSessionError) as raised:
        getattr(getattr(handover_macp, f"{mode}Session")(client), method)(*args, **kwargs)
    assert raised.value.argument == argument


def test_an_argument_that_no_message_takes():
    with MacpClient(NOWHERE, secure=False, auth=AUTH) as client, pytest.raises(TypeError, match="'sendr'"):
        handover_macp.MultiRoundSession(client).contribute("x", sendr="ann")


def test_what_the_session_already_knows(owner):
    task = handover_macp.TaskSession(owner)
    task.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
    with pytest.raises(MacpSessionError, match="requested_assignee 'owner-z' is not among the participants"):
        task.request_task("t", "x", requested_assignee="owner-z")
    quorum = handover_macp.QuorumSession(owner)
    quorum.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
    with pytest.raises(MacpSessionError, match="required_approvals must be a whole number from 1 to 1"):
        quorum.request_approval("r", "x", required_approvals=2)


def test_an_unknown_participant(owner):
    session = HandoffSession(owner)
    session.start(intent="x", participants=["owner-b"], ttl_ms=60_000, roots=[Root("file:///a", "a")])
    with pytest.raises(MacpSessionError, match="target_participant 'owner-z' is not among the participants"):
        session.offer("h1", "owner-z")


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("macp_version", {"macp_version": "2.0"}),
        ("message_type", {"message_type": ""}),
        ("message_id", {"message_id": ""}),
        ("payload", {"payload": {"handoff_id": 7}}),
        ("payload", {"payload": {"no_such_field": 1}}),
        ("message_type", {"message_type": "Vote"}),
    ],
)
def test_envelopes(argument, options):
    base = {"mode": "macp.mode.handoff.v1", "message_type": "HandoffOffer", "session_id": "s", "payload": {}}
    with pytest.raises(MacpSessionError) as raised:
        build_envelope(**{**base, **options})
    assert raised.value.argument == argument


@pytest.mark.parametrize(
    ("argument", "method", "args", "kwargs"),
    [
        ("session_id", "get_session", ("",), {}),
        ("session_id", "cancel_session", ("x",), {}),
        ("page_size", "list_sessions", (), {"page_size": -1}),
        ("policy_id", "get_policy", ("",), {}),
        ("policy_id", "unregister_policy", (" ",), {}),
        ("mode", "unregister_ext_mode", ("",), {}),
        ("mode", "promote_mode", ("",), {}),
        ("signal_type", "send_signal", ("",), {}),
        ("progress_token", "send_progress", ("", 1, 2), {}),
        ("auth", "list_modes", (), {"auth": "owner-a"}),
        ("descriptor", "register_policy", ("policy.std.majority",), {}),
        ("candidate", "what_if_replay", (handover_macp.new_session_id(), "policy.std.majority"), {}),
    ],
)
def test_client_methods(argument, method, args, kwargs):
    with MacpClient(NOWHERE, secure=False, auth=AUTH) as client, pytest.raises(MacpSessionError) as raised:
        getattr(client, method)(*args, **kwargs)
    assert raised.value.argument == argument


@pytest.mark.parametrize("argument", ["auth", "secure", "allow_insecure"])
@pytest.mark.parametrize("kind", [MacpClient, AsyncMacpClient])
def test_what_a_client_is_made_with(kind, argument):
    with pytest.raises(MacpSessionError) as raised:
        kind(NOWHERE, **{argument: "false"})
    assert raised.value.argument == argument


async def test_a_client_of_the_other_kind():
    async with AsyncMacpClient(NOWHERE, auth=AUTH) as client:
        with MacpClient(NOWHERE, auth=AUTH) as other:
            made = [
                lambda: HandoffSession(client),
                lambda: AsyncHandoffSession(other),
                lambda: HandoffWorker(other, lambda offer: True),
                lambda: Participant(participant_id="owner-a", session_id=handover_macp.new_session_id(), client=other),
            ]
            for make in made:
                with pytest.raises(MacpSessionError, match=r"client must be an? (Async)?MacpClient, not (Async)?MacpClient$") as raised:
                    make()
                assert raised.value.argument == "client"
