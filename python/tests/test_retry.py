"""Sending again: same message id, only where it can help, and never with a credential that was refused."""

import grpc
import pytest
from fake_server import accepted, refused
from handover_macp import (
    MacpAckError,
    MacpRetryError,
    MacpTimeoutError,
    MacpTransportError,
    RetryPolicy,
    build_envelope,
    new_session_id,
    retry_send,
)
from handover_macp.aio import AsyncMacpClient
from handover_macp.handoff import HandoffSession

QUICK = RetryPolicy(max_retries=3, backoff_base=0.001, backoff_max=0.002)


def envelope():
    return build_envelope(
        mode="macp.mode.handoff.v1",
        message_type="HandoffAccept",
        session_id=new_session_id(),
        payload={"handoff_id": "h1"},
        sender="owner-a",
    )


def script(fake, *steps):
    """Answers each Send with the next step: an ack code, a gRPC status, or None to accept."""
    seen = []
    left = list(steps)

    def answer(request, context):
        seen.append(request.envelope)
        step = left.pop(0) if left else None
        if step is None:
            return accepted(request)
        if isinstance(step, grpc.StatusCode):
            context.abort(step, "not now")
        return refused(request, step)

    fake.unary["Send"] = answer
    return seen


def test_the_same_message_id_goes_out_again(fake, fake_client):
    seen = script(fake, "RATE_LIMITED", grpc.StatusCode.UNAVAILABLE, "INTERNAL_ERROR")
    message = envelope()
    assert retry_send(fake_client, message, policy=QUICK).ok
    assert [item.message_id for item in seen] == [message.message_id] * 4
    assert len({item.SerializeToString() for item in seen}) == 1


@pytest.mark.parametrize("code", ["UNAUTHENTICATED", "FORBIDDEN", "INVALID_ENVELOPE", "SESSION_NOT_OPEN"])
def test_a_refusal_that_stays_is_not_sent_again(fake, fake_client, code):
    seen = script(fake, code)
    with pytest.raises(MacpAckError) as raised:
        fake_client.retry_send(envelope(), policy=QUICK)
    assert (raised.value.code, len(seen)) == (code, 1)


@pytest.mark.parametrize("status", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED])
def test_a_status_that_stays_is_not_sent_again(fake, fake_client, status):
    seen = script(fake, status)
    with pytest.raises(MacpTransportError) as raised:
        fake_client.retry_send(envelope(), policy=QUICK)
    assert (raised.value.code, len(seen)) == (status.name, 1)


def test_giving_up_names_the_last_failure(fake, fake_client):
    seen = script(fake, *["RATE_LIMITED"] * 9)
    with pytest.raises(MacpRetryError) as raised:
        fake_client.retry_send(envelope(), policy=QUICK)
    assert (raised.value.code, raised.value.attempts, len(seen)) == ("RATE_LIMITED", 4, 4)
    assert isinstance(raised.value.failure, MacpAckError) and raised.value.failure.code == "RATE_LIMITED"


def test_waits_double_up_to_a_bound():
    policy = RetryPolicy()
    assert [policy.delay(n) for n in range(6)] == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0]
    assert policy.delay(10_000) == 2.0


def test_a_session_can_retry_by_itself(fake, fake_client):
    seen = script(fake, grpc.StatusCode.UNAVAILABLE)
    session = HandoffSession(fake_client)
    session.start(intent="x", participants=["owner-b"], ttl_ms=1000)
    assert len(seen) == 2
    assert len(session.projection.transcript) == 1


def test_a_session_tells_the_refusal_and_not_the_attempts(fake, fake_client):
    seen = script(fake, *["RATE_LIMITED"] * 9)
    with pytest.raises(MacpAckError) as raised:
        HandoffSession(fake_client, retry=QUICK).start(intent="x", participants=["owner-b"], ttl_ms=1000)
    assert (raised.value.code, len(seen)) == ("RATE_LIMITED", 4)


def test_a_refused_credential_is_never_sent_again_whatever_the_policy_says(fake, fake_client):
    seen = script(fake, "UNAUTHENTICATED")
    eager = RetryPolicy(backoff_base=0.001, retryable_codes=frozenset({"UNAUTHENTICATED"}))
    with pytest.raises(MacpAckError):
        fake_client.retry_send(envelope(), policy=eager)
    assert len(seen) == 1


def test_without_a_policy_a_session_tries_once(fake, fake_client):
    seen = script(fake, grpc.StatusCode.UNAVAILABLE)
    session = HandoffSession(fake_client, retry=None)
    with pytest.raises(MacpTransportError):
        session.start(intent="x", participants=["owner-b"], ttl_ms=1000)
    assert len(seen) == 1
    assert session.projection.transcript == []


def test_an_ack_error_carries_everything(fake, fake_client):
    fake.unary["Send"] = lambda request, context: refused(request, "POLICY_DENIED", b'{"reasons":["too late","no"]}')
    message = envelope()
    with pytest.raises(MacpAckError) as raised:
        fake_client.send(message)
    error = raised.value
    assert (error.code, error.message) == ("POLICY_DENIED", "no")
    assert (error.session_id, error.message_id) == (message.session_id, message.message_id)
    assert error.reasons == ("too late", "no")
    assert error.ack is not None and not error.ack.ok and error.failure == error.ack.error
    assert fake_client.send(message, raise_on_nack=False).error.code == "POLICY_DENIED"


@pytest.mark.parametrize("details", [b"", b"not json", b"[]", b'{"reasons":"x"}', b"\xff"])
def test_details_that_are_no_reasons(fake, fake_client, details):
    fake.unary["Send"] = lambda request, context: refused(request, "POLICY_DENIED", details)
    with pytest.raises(MacpAckError) as raised:
        fake_client.send(envelope())
    assert raised.value.reasons == ()


def test_a_deadline_is_a_timeout(fake, fake_client):
    import time

    fake.unary["Send"] = lambda request, context: time.sleep(0.5) or accepted(request)
    with pytest.raises(MacpTimeoutError) as raised:
        fake_client.send(envelope(), timeout=0.05)
    assert raised.value.code == "DEADLINE_EXCEEDED"


async def test_the_asyncio_client_retries_alike(fake):
    seen = script(fake, "RATE_LIMITED", grpc.StatusCode.UNAVAILABLE)
    async with AsyncMacpClient(fake.address, secure=False) as client:
        assert (await client.retry_send(envelope(), policy=QUICK)).ok
        assert len({item.message_id for item in seen}) == 1 and len(seen) == 3
        seen = script(fake, "UNAUTHENTICATED")
        with pytest.raises(MacpAckError):
            await client.retry_send(envelope(), policy=QUICK)
        assert len(seen) == 1
