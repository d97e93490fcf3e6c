"""What an error tells: the protocol's code however the refusal came, who and why, how long to wait, what to do next."""

import json
import re

import grpc
import handover_macp
import pytest
from fake_server import refused
from handover_macp import (
    AuthConfig,
    DecisionSession,
    HandoffSession,
    MacpAckError,
    MacpClient,
    MacpClosedError,
    MacpSdkError,
    MacpTooLargeError,
    MacpTransportError,
    MacpUnknownSessionError,
    PolicyDenial,
    VotingRules,
    build_decision_policy,
    build_envelope,
    error_codes,
    new_session_id,
)
from handover_macp._advice import BY_CLASS, BY_CODE
from handover_macp.aio import AsyncMacpClient
from server_process import ROOT, ServerProcess

START = {"intent": "x", "participants": ["owner-b"], "ttl_ms": 60_000}


def offer():
    return build_envelope(
        mode="macp.mode.handoff.v1",
        message_type="HandoffOffer",
        session_id=new_session_id(),
        payload={"handoff_id": "h1", "target_participant": "owner-b"},
        sender="owner-a",
    )


def test_an_unknown_session_is_one_however_it_is_told(owner):
    session_id = new_session_id()
    with pytest.raises(MacpUnknownSessionError) as status:
        owner.get_session(session_id)
    assert isinstance(status.value, MacpTransportError) and status.value.code == "NOT_FOUND"
    message = offer()
    with pytest.raises(MacpUnknownSessionError) as ack:
        owner.send(message)
    assert isinstance(ack.value, MacpAckError) and ack.value.message_id == message.message_id
    assert status.value.macp_code == ack.value.macp_code == error_codes.SESSION_NOT_FOUND
    assert (status.value.session_id, ack.value.session_id) == (session_id, message.session_id)
    assert status.value.advice == ack.value.advice == BY_CODE["SESSION_NOT_FOUND"]


@pytest.mark.parametrize(("size", "kind"), [(1_100_000, MacpAckError), (3_000_000, MacpTransportError)])
def test_what_is_too_large_is_too_large(owner, size, kind):
    with pytest.raises(MacpTooLargeError) as raised:
        HandoffSession(owner).start(**START, context=b"x" * size)
    assert isinstance(raised.value, kind) and raised.value.macp_code == error_codes.PAYLOAD_TOO_LARGE


def test_a_frame_that_grpc_itself_refuses_is_too_large_and_not_sent_again(fake, fake_client):
    seen = []

    def answer(request, context):
        seen.append(request)
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "Received message larger than max (9 vs. 4)")

    fake.unary["Send"] = answer
    with pytest.raises(MacpTooLargeError) as raised:
        fake_client.retry_send(offer())
    assert isinstance(raised.value, MacpTransportError) and len(seen) == 1


def test_a_policy_says_who_and_why(owner):
    policy_id = f"policy.test.{new_session_id()}"
    policy = build_decision_policy(policy_id, "all", voting=VotingRules("unanimous"))
    assert owner.register_policy(policy).ok
    session = DecisionSession(owner, policy_version=policy_id)
    session.start(intent="x", participants=["owner-a", "owner-b"], ttl_ms=60_000)
    session.propose("p1", "this")
    session.vote("p1", "approve")
    with pytest.raises(MacpAckError) as raised:
        session.commit("decision.selected", "s", "r")
    error = raised.value
    assert error.macp_code == error_codes.POLICY_DENIED
    assert [denial.code for denial in error.denials] == ["threshold_not_met"]
    assert error.reasons == tuple(denial.message for denial in error.denials)


DETAILS = [
    ({"reasons": ["late"]}, ("late",), (PolicyDenial("unspecified", "late"),), None),
    (
        {"denials": [{"code": "veto", "message": "no", "participants": ["a", 1, "b"]}]},
        ("no",),
        (PolicyDenial("veto", "no", ("a", "b")),),
        None,
    ),
    ({"denials": [{}, 3]}, ("",), (PolicyDenial("unspecified", ""),), None),
    ({"retry_after_ms": 120}, (), (), 120),
    ({"retry_after_ms": -1}, (), (), None),
    ({"retry_after_ms": True}, (), (), None),
    ({"retry_after_ms": 1e300}, (), (), None),
    ("[" * 3_000, (), (), None),
]


@pytest.mark.parametrize(("details", "reasons", "denials", "wait"), DETAILS)
@pytest.mark.parametrize("as_status", [False, True])
def test_details(fake, fake_client, details, reasons, denials, wait, as_status):
    """macp-2026:2.2 and 2.3, in an answer and as trailers of a status"""
    data = (details if isinstance(details, str) else json.dumps(details)).encode()

    def answer(request, context):
        if as_status:
            context.set_trailing_metadata((("macp-error-code", "POLICY_DENIED"), ("macp-error-details-bin", data)))
            context.abort(grpc.StatusCode.PERMISSION_DENIED, "no")
        return refused(request, "POLICY_DENIED", data)

    fake.unary["Send"] = answer
    with pytest.raises(MacpSdkError) as raised:
        fake_client.send(offer())
    error = raised.value
    assert type(error) is (MacpTransportError if as_status else MacpAckError)
    assert error.macp_code == "POLICY_DENIED"
    assert (error.reasons, error.denials, error.retry_after_ms) == (reasons, denials, wait)


def test_a_rate_limit_says_how_long():
    process = ServerProcess("--dev", "--memory-only", env={"MACP_SESSION_START_LIMIT_PER_MINUTE": "1"})
    try:
        with MacpClient(process.address, auth=AuthConfig.for_dev_agent("owner-a")) as client:
            HandoffSession(client).start(**START)
            with pytest.raises(MacpAckError) as raised:
                # The wait is longer than the call may take: it is told at once.
                HandoffSession(client).start(**START, timeout=3)
            assert raised.value.macp_code == error_codes.RATE_LIMITED
            assert 3_000 < raised.value.retry_after_ms <= 60_000
    finally:
        process.stop()


def test_every_error_says_what_to_do_next():
    errors = [value for value in vars(handover_macp).values() if isinstance(value, type) and issubclass(value, MacpSdkError)]
    by_code = {MacpSdkError, MacpAckError, MacpUnknownSessionError, MacpTooLargeError}
    assert {error.__name__ for error in errors} - {error.__name__ for error in by_code} == set(BY_CLASS)
    codes = {name for name in vars(error_codes) if name.isupper()}
    # A duplicate is answered with an ok Ack.
    assert set(BY_CODE) == codes - {"DUPLICATE_MESSAGE"}
    assert all(getattr(error_codes, name) == name for name in codes)
    assert MacpSdkError("x").advice == "Read the message."
    assert MacpClosedError("x").advice == BY_CLASS["MacpClosedError"]


def test_a_closed_client(server):
    client = MacpClient(server.address)
    client.close()
    with pytest.raises(MacpClosedError, match="the client is closed"):
        client.list_modes()
    with client.watch_sessions() as watch, pytest.raises(MacpClosedError, match="the client is closed"):
        watch.read(timeout=5)


async def test_a_closed_asyncio_client(server):
    client = AsyncMacpClient(server.address)
    await client.close()
    with pytest.raises(MacpClosedError, match="the client is closed"):
        await client.list_modes()
    async with client.watch_sessions() as watch:
        with pytest.raises(MacpClosedError, match="the client is closed"):
            await watch.read(timeout=5)


def test_a_closed_stream(owner):
    stream = owner.open_stream()
    stream.close()
    with pytest.raises(MacpClosedError, match="the stream is closed"):
        stream.send_subscribe(new_session_id())


def test_the_advice_is_that_of_the_other_language():
    page = (ROOT / "docs" / "reference" / "sdk-errors.md").read_text().split("## What to do, by code")[1]
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*) \|$", page, re.MULTILINE))
    ours = {code: re.sub("([a-z])([A-Z])", lambda found: f"{found[1]}_{found[2].lower()}", text) for code, text in rows.items()}
    assert {code: text.replace("’", "'") for code, text in ours.items()} == BY_CODE
