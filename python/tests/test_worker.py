"""A worker against the real server: what it decides on, what it knows of the context, when it tries again, how it ends."""

import asyncio
import gc
import hashlib
import json
import logging
import time

import grpc
import pytest
from handover_macp import AuthConfig, MacpSessionError, MacpTransportError, ReconnectPolicy, build_handoff_policy, new_session_id
from handover_macp.agent import ContextWait, Decision, HandoffWorker
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient
from server_process import ServerProcess
from worker_kit import Calls, answered, as_agent, offered, until, working

def said(caplog):
    """What the SDK has logged; gRPC has words of its own for event loops of earlier tests."""
    return [record for record in caplog.records if record.name == "handover_macp"]


AT_ONCE = ContextWait(first_ms=0, quiet_ms=0)
SOON = ReconnectPolicy(backoff_base=0.05, backoff_max=0.2)


@pytest.fixture
async def alice(server):
    async with AsyncMacpClient(server.address, auth=as_agent("alice")) as client:
        yield client


@pytest.fixture
async def me(server):
    """A client of an agent that no other test knows."""
    async with AsyncMacpClient(server.address, auth=as_agent(f"bob-{new_session_id()}")) as client:
        yield client


async def test_old_and_new_offers_are_answered_once(alice, me):
    name = me.sender_hint()
    old = [await offered(alice, name) for _ in range(3)]
    seen, told = [], []

    def decide(offer):
        seen.append(offer.session_id)
        return Decision(offer.session_id != old[0].session_id, "because")

    async with working(HandoffWorker(me, decide, context=AT_ONCE, on_answered=told.append)) as worker:
        new = [await offered(alice, name) for _ in range(3)]
        # One that has no offer yet, and one whose first target is somebody else.
        late = AsyncHandoffSession(alice)
        await late.start(intent="x", participants=["carol", name], ttl_ms=60_000)
        await late.offer("h1", "carol")
        await late.decline("h1", sender="carol")
        await late.offer("h2", name)
        answers = [await answered(one) for one in (*old, *new)]
        assert (await answered(late, "h2")).accepted_by == name
        await until(lambda: len(told) == 7)
        stats = worker.stats()
    assert [answer.disposition for answer in answers] == ["declined", *["accepted"] * 5]
    assert {answer.outcome_reason for answer in answers} == {"because"}
    assert sorted(seen) == sorted(one.session_id for one in (*old, *new, late))
    first = next(one for one in told if one.offer.session_id == old[0].session_id)
    assert (first.accept, first.reason, first.attempt, first.duplicate, first.seen_contexts) == (False, "because", 1, False, 0)
    assert (first.offer.owner, first.offer.scope, first.offer.reason, first.offer.waited) == ("alice", "s", "r", "stopped")
    assert (stats.accepted, stats.declined, stats.waiting, stats.sessions, stats.decisions) == (6, 1, 0, 0, 7)


async def test_both_answers_have_the_same_id(alice, me):
    name = me.sender_hint()
    sessions = [await offered(alice, name) for _ in range(2)]
    async with working(HandoffWorker(me, lambda offer: offer.session_id == sessions[0].session_id, context=AT_ONCE)):
        for session in sessions:
            await answered(session)
    for session in sessions:
        named = json.dumps([session.session_id, "h1", name], separators=(",", ":"))
        expected = f"answer:{hashlib.sha256(named.encode()).hexdigest()[:32]}"
        assert (await session.sync()).transcript[-1].message_id == expected


async def test_two_hundred_decisions_see_the_context_that_was_sent(alice, me):
    name = me.sender_hint()
    seen = {}

    async def decide(offer):
        seen[offer.session_id] = (offer.waited, [record.json() for record in offer.contexts])
        return True

    told = []
    worker = HandoffWorker(me, decide, concurrency=16, context=ContextWait(first_ms=800, quiet_ms=50), on_answered=told.append)
    sent = {}

    async def hand_over(number):
        session = AsyncHandoffSession(alice)
        await session.start(intent="x", participants=[name], ttl_ms=120_000)
        await session.offer("h1", name)
        sent[session.session_id] = [{"number": number, "of": part} for part in range(number % 3)]
        await asyncio.sleep(number % 4 * 0.1)
        for context in sent[session.session_id]:
            await session.add_context("h1", content_type="application/json", context=str(context).replace("'", '"').encode())
        await answered(session, seconds=90)
        return session

    async with working(worker):
        sessions = []
        for start in range(0, 200, 20):
            sessions += await asyncio.gather(*(hand_over(number) for number in range(start, start + 20)))
        await until(lambda: len(told) == 200)
    late = 0
    for session in sessions:
        waited, contexts = seen[session.session_id]
        in_time = [record.json() for record in (await session.sync()).contexts.get("h1", ()) if not record.late]
        assert contexts == in_time, "a decision did not see what came before its answer"
        assert waited == ("context" if contexts else "stopped")
        late += contexts != sent[session.session_id]
    # A machine that is busy may be slower than the wait; the rule above holds all the same.
    assert late <= 10
    # It waited, rather than deciding without and then again.
    assert worker.stats().decisions < 260
    assert all(one.unseen == 0 and one.seen_contexts == len(seen[one.offer.session_id][1]) for one in told)


async def test_finished_offers_of_the_past_call_nobody_and_are_not_read(server, alice, me):
    name = me.sender_hint()

    async def past(number):
        session = await offered(alice, name)
        if number % 3 == 0:
            await session.cancel()
        else:
            await session.accept_handoff("h1", sender=name)
            await session.commit()

    for start in range(0, 300, 25):
        await asyncio.gather(*(past(number) for number in range(start, start + 25)))
    waiting = await offered(alice, name)
    seen = []
    with Calls(server.address) as calls:
        async with AsyncMacpClient(calls.address, auth=as_agent(name)) as client:
            async with working(HandoffWorker(client, lambda offer: seen.append(offer.session_id) or True, context=AT_ONCE)):
                await answered(waiting)
                await asyncio.sleep(0.3)
                streams = calls.count("StreamSession")
    assert seen == [waiting.session_id]
    # The one that waited was found, read, followed while it was decided on, and looked at before the answer.
    assert streams <= 4 and calls.count("ListSessions") == 0 and calls.count("Send") == 1


async def test_context_that_comes_while_deciding_makes_the_decision_again(alice, me):
    session = await offered(alice, me.sender_hint(), contexts=[b"0"])
    seen, told = [], []

    async def decide(offer):
        seen.append((offer.attempt, offer.waited, [record.text() for record in offer.contexts]))
        if len(seen) == 1:
            await session.add_context("h1", content_type="text/plain", context=b"1")
        return Decision(len(offer.contexts) > 1)

    async with working(HandoffWorker(me, decide, context=ContextWait(quiet_ms=20), on_answered=told.append)):
        assert (await answered(session)).disposition == "accepted"
        await until(lambda: told)
    assert seen == [(1, "context", ["0"]), (1, "context", ["0", "1"])]
    assert (told[0].seen_contexts, told[0].unseen) == (2, 0)


async def test_an_offer_that_ends_before_the_decision_is_made_again(alice, me):
    session = await offered(alice, me.sender_hint())
    calls, told = [], []

    async def decide(offer):
        calls.append(len(offer.contexts))
        await session.add_context("h1", content_type="text/plain", context=b"1")
        asyncio.get_running_loop().call_later(0.2, lambda: asyncio.ensure_future(session.cancel()))
        return True

    wait = ContextWait(first_ms=0, quiet_ms=1_500)
    worker = HandoffWorker(me, decide, context=wait, on_answered=told.append, on_error=told.append)
    async with working(worker):
        await until(lambda: calls and worker.stats().sessions == 0)
    assert calls == [0] and told == []


async def test_an_owner_who_never_stops_gets_an_answer_that_says_so(alice, me):
    session = await offered(alice, me.sender_hint(), contexts=[b"0"])
    seen, told = [], []

    async def decide(offer):
        seen.append(len(offer.contexts))
        await session.add_context("h1", content_type="text/plain", context=b"more")
        return True

    async with working(HandoffWorker(me, decide, context=ContextWait(quiet_ms=20), on_answered=told.append)):
        await answered(session)
        await until(lambda: told)
    assert seen == [1, 2, 3, 4]
    assert (told[0].seen_contexts, told[0].unseen) == (4, 1)


async def test_an_offer_that_is_left_comes_up_again_with_new_context(alice, me):
    session = await offered(alice, me.sender_hint())
    seen = []

    def decide(offer):
        seen.append([record.text() for record in offer.contexts])
        return True if offer.contexts else None

    async with working(HandoffWorker(me, decide, context=AT_ONCE)):
        await until(lambda: seen)
        await asyncio.sleep(0.5)
        assert seen == [[]] and (await session.sync()).active_offer() is not None
        await session.add_context("h1", content_type="text/plain", context=b"now")
        assert (await answered(session)).disposition == "accepted"
    assert seen == [[], ["now"]]


async def test_a_decision_that_fails_is_made_again_until_it_does_not(alice, me):
    session = await offered(alice, me.sender_hint())
    attempts, failures = [], []

    def decide(offer):
        attempts.append(offer.attempt)
        if offer.attempt < 3:
            raise ValueError("not yet")
        return True

    worker = HandoffWorker(me, decide, context=AT_ONCE, retry=SOON, on_error=failures.append)
    async with working(worker):
        await answered(session)
    assert attempts == [1, 2, 3]
    assert [(str(one.error), one.attempt, one.handoff_id) for one in failures] == [("not yet", 1, "h1"), ("not yet", 2, "h1")]
    assert all(30 < one.retry_in_ms <= 100 for one in failures) and worker.stats().failures == 2


@pytest.mark.parametrize(("wrong", "argument"), [(Decision("no"), "accept"), (Decision(True, 5), "reason")])
async def test_a_decision_that_says_neither_yes_nor_no_is_none(alice, me, wrong, argument):
    session = await offered(alice, me.sender_hint())
    failures = []
    decide = lambda offer: wrong if offer.attempt == 1 else Decision(False)  # noqa: E731
    async with working(HandoffWorker(me, decide, context=AT_ONCE, retry=SOON, on_error=failures.append)):
        assert (await answered(session)).disposition == "declined"
    assert [one.error.argument for one in failures] == [argument]


async def test_a_decision_that_waits_for_something_cancelled_has_failed_and_ends_nobody(alice, me):
    sessions = [await offered(alice, me.sender_hint()) for _ in range(2)]
    failures = []

    async def decide(offer):
        if offer.attempt == 1:
            other = asyncio.create_task(asyncio.sleep(60))
            other.cancel()
            await other
        return True

    worker = HandoffWorker(me, decide, context=AT_ONCE, concurrency=1, retry=SOON, on_error=failures.append)
    async with working(worker):
        for session in sessions:
            assert (await answered(session)).disposition == "accepted"
    assert {str(one.error) for one in failures} == {"decide was cancelled, or waited for something that was"}
    assert len(failures) == 2


async def test_a_decision_that_fails_too_often_is_left_to_others(alice, me, caplog):
    session = await offered(alice, me.sender_hint())
    attempts = []

    async def decide(offer):
        attempts.append(offer.attempt)
        return "yes"

    retry = ReconnectPolicy(backoff_base=0.01, max_attempts=2)
    async with working(HandoffWorker(me, decide, context=AT_ONCE, retry=retry)):
        await until(lambda: len(said(caplog)) == 2)
        await session.add_context("h1")
        await asyncio.sleep(0.3)
        assert (await session.sync()).active_offer() is not None
    assert attempts == [1, 2]
    first, last = (record.getMessage() for record in said(caplog))
    assert "failed, attempt 1" in first and "must answer True, False, Decision(...) or None, not str" in first
    assert "attempt 2" in last and "it is left to others" in last


async def test_an_offer_that_ends_while_it_is_decided_on(alice, me, caplog):
    caplog.set_level(logging.INFO, "handover_macp")
    cancelled, expired, taken = [await offered(alice, me.sender_hint(), ttl_ms=ttl) for ttl in (60_000, 1_500, 60_000)]
    over = []

    async def decide(offer):
        if offer.session_id == cancelled.session_id:
            await cancelled.cancel()
        if offer.session_id == taken.session_id:
            await taken.decline("h1", sender=me.sender_hint(), message_id="by-hand")
        await asyncio.wait_for(offer.until_over(), 20)
        assert offer.is_over
        over.append(offer.session_id)
        return True

    told = []
    worker = HandoffWorker(me, decide, context=AT_ONCE, on_answered=told.append, on_error=told.append)
    async with working(worker):
        await until(lambda: len(over) == 3)
        await until(lambda: worker.stats().deciding == 0)
        assert worker.stats().sessions == 0
    assert told == [] and said(caplog) == []
    assert (await taken.sync()).is_declined("h1")


async def test_two_workers_of_one_agent_give_one_answer_and_say_nothing(server, alice, me, caplog):
    caplog.set_level(logging.INFO, "handover_macp")
    name = me.sender_hint()
    calls, told = [], []

    def worker(client, accept):
        async def decide(offer):
            calls.append((accept, offer.session_id))
            await asyncio.sleep(0.05)
            return accept

        return HandoffWorker(client, decide, context=AT_ONCE, on_answered=told.append, on_error=told.append)

    async with AsyncMacpClient(server.address, auth=as_agent(name)) as other:
        async with working(worker(me, True)), working(worker(other, False)):
            sessions = await asyncio.gather(*(offered(alice, name) for _ in range(20)))
            answers = {session.session_id: await answered(session) for session in sessions}
            await asyncio.sleep(0.5)
    assert len(calls) > 25, "both were to decide"
    for session in sessions:
        kinds = [envelope.message_type for envelope in (await session.sync()).transcript]
        assert len([kind for kind in kinds if kind in ("HandoffAccept", "HandoffDecline")]) == 1
    # Each answer is told of by the one who gave it.
    assert {one.offer.session_id: one.accept for one in told} == {
        key: answer.disposition == "accepted" for key, answer in answers.items()
    }
    assert len(told) == 20 and said(caplog) == []


async def test_at_most_so_many_decisions_at_a_time_and_plain_functions_may_block(alice, me):
    name = me.sender_hint()
    now, most = 0, 0
    sessions = await asyncio.gather(*(offered(alice, name) for _ in range(12)))

    def decide(offer):
        nonlocal now, most
        now += 1
        most = max(most, now)
        time.sleep(0.3)
        now -= 1
        return True

    began = time.monotonic()
    longest = 0.0
    async with working(HandoffWorker(me, decide, context=AT_ONCE, concurrency=3)):
        for session in sessions:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - before)
            await answered(session)
    assert most == 3 and time.monotonic() - began >= 1.2
    assert longest < 0.28, "a decision blocked the event loop"


async def test_more_sessions_than_streams_take_turns(alice, me):
    name = me.sender_hint()
    idle = []
    for _ in range(30):
        session = AsyncHandoffSession(alice)
        await session.start(intent="x", participants=[name], ttl_ms=120_000)
        idle.append(session)
    async with working(HandoffWorker(me, lambda offer: True, context=AT_ONCE, streams=3)) as worker:
        await until(lambda: worker.stats().sessions == 30)
        await asyncio.sleep(0.5)
        # One that comes does not wait behind those in which nothing happens.
        began = time.monotonic()
        await answered(await offered(alice, name))
        assert time.monotonic() - began < 5
        for session in (idle[0], idle[17], idle[29]):
            await session.offer("h1", name)
            assert (await answered(session)).disposition == "accepted"


async def test_where_few_streams_are_allowed_all_is_answered_all_the_same():
    server = ServerProcess("--dev", "--memory-only", env={"HANDOVER_LISTENERS_PER_PRINCIPAL": "6"})
    try:
        with Calls(server.address) as calls:
            async with (
                AsyncMacpClient(server.address, auth=as_agent("alice")) as owner,
                AsyncMacpClient(calls.address, auth=as_agent("bob")) as client,
            ):
                for _ in range(10):
                    await AsyncHandoffSession(owner).start(intent="x", participants=["bob"], ttl_ms=120_000)
                async with working(HandoffWorker(client, lambda offer: True, context=AT_ONCE, concurrency=2)) as worker:
                    await until(lambda: worker.stats().sessions == 10)
                    await asyncio.sleep(4)
                    # It learns how many are allowed, rather than asking again and again.
                    assert 0 < calls.refused < 9
                    sessions = [await offered(owner, "bob") for _ in range(10)]
                    for session in sessions:
                        assert (await answered(session, seconds=40)).disposition == "accepted"
                    assert worker.stats().failures == 0
    finally:
        server.stop()


async def test_a_suspended_session_is_answered_when_it_goes_on(alice, me):
    session = await offered(alice, me.sender_hint(), max_suspend_ms=60_000)
    attempts = []

    async def decide(offer):
        attempts.append(offer.attempt)
        if offer.attempt == 1:
            await session.suspend()
        return True

    async with working(HandoffWorker(me, decide, context=AT_ONCE)) as worker:
        await until(lambda: attempts and worker.stats().deciding == 0)
        await asyncio.sleep(0.2)
        await session.resume()
        # The watch tells of it, long before the worker would look again.
        assert (await answered(session, seconds=5)).disposition == "accepted"
    assert attempts == [1, 2]


async def test_the_wait_is_shorter_where_the_policy_would_answer_first(alice, me):
    policy = build_handoff_policy(f"policy.{new_session_id()}", "", implicit_decline_timeout_ms=2_000)
    await alice.register_policy(policy)
    async with working(HandoffWorker(me, lambda offer: True)):
        session = await offered(alice, me.sender_hint(), policy_version=policy.policy_id)
        answer = await answered(session)
    assert (answer.disposition, answer.implicit) == ("accepted", False)


async def test_a_rate_limit_is_waited_for_and_asked_no_earlier(server, alice, me):
    name = me.sender_hint()
    session = await offered(alice, name)
    sends = []

    def refuse(request, context):
        sends.append(time.monotonic())
        if len(sends) <= 2:
            details = b'{"retry_after_ms": 1500}'
            context.set_trailing_metadata((("macp-error-code", "RATE_LIMITED"), ("macp-error-details-bin", details)))
            context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many")

    with Calls(server.address) as calls:
        calls.before_send = refuse
        async with AsyncMacpClient(calls.address, auth=as_agent(name)) as client:
            async with working(HandoffWorker(client, lambda offer: True, context=AT_ONCE)):
                await answered(session)
    assert len(sends) == 3
    assert all(later - earlier >= 1.5 for earlier, later in zip(sends, sends[1:]))


async def test_it_stops_at_once_while_the_server_wants_it_to_wait(server, alice, me):
    name = me.sender_hint()
    session = await offered(alice, name)

    def refuse(request, context):
        details = b'{"retry_after_ms": 60000}'
        context.set_trailing_metadata((("macp-error-code", "RATE_LIMITED"), ("macp-error-details-bin", details)))
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many")

    with Calls(server.address) as calls:
        calls.before_send = refuse
        async with AsyncMacpClient(calls.address, auth=as_agent(name)) as client:
            async with working(HandoffWorker(client, lambda offer: True, context=AT_ONCE)):
                await until(lambda: calls.count("Send") == 1)
                await asyncio.sleep(0.2)
                began = time.monotonic()
            assert time.monotonic() - began < 5 and calls.count("Send") == 1
    assert (await session.sync()).active_offer() is not None


@pytest.mark.parametrize("lost", [1, 4], ids=["once", "again and again"])
async def test_an_answer_whose_acknowledgement_was_lost_is_given_once(server, alice, me, lost):
    name = me.sender_hint()
    session = await offered(alice, name)
    attempts, told = [], []

    def lose(request, context):
        if calls.count("Send") == 1:
            return lambda answer: context.abort(grpc.StatusCode.UNAVAILABLE, "lost")
        if calls.count("Send") <= lost:
            context.abort(grpc.StatusCode.UNAVAILABLE, "lost")

    with Calls(server.address) as calls:
        calls.before_send = lose
        async with AsyncMacpClient(calls.address, auth=as_agent(name)) as client:
            decide = lambda offer: attempts.append(offer.attempt) or True  # noqa: E731
            async with working(HandoffWorker(client, decide, context=AT_ONCE, on_answered=told.append)):
                await answered(session)
                await until(lambda: told)
    assert attempts == [1] and (told[0].accept, told[0].duplicate) == (True, True)
    kinds = [envelope.message_type for envelope in (await session.sync()).transcript]
    assert kinds.count("HandoffAccept") == 1


async def test_a_server_that_goes_away_and_comes_back(alice):
    server = ServerProcess("--dev", "--memory-only")
    try:
        async with AsyncMacpClient(server.address, auth=as_agent("bob")) as client:
            async with working(HandoffWorker(client, lambda offer: True, context=AT_ONCE)):
                async with AsyncMacpClient(server.address, auth=as_agent("alice")) as owner:
                    assert (await answered(await offered(owner, "bob"))).disposition == "accepted"
                    server.kill()
                    await asyncio.sleep(0.3)
                    server.revive()
                    for _ in range(50):
                        try:
                            session = await offered(owner, "bob")
                            break
                        except MacpTransportError:
                            await asyncio.sleep(0.2)
                    assert (await answered(session)).disposition == "accepted"
    finally:
        server.stop()


async def test_it_ends_quietly(alice, me, caplog):
    caplog.set_level(logging.DEBUG)
    name = me.sender_hint()
    slow, stuck = [await offered(alice, name) for _ in range(2)]
    ended = []

    async def decide(offer):
        if offer.session_id == stuck.session_id:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append("stuck")
        await asyncio.sleep(0.3)
        return True

    worker = HandoffWorker(me, decide, context=AT_ONCE, drain_ms=2_000)
    running = asyncio.create_task(worker.run())
    await until(lambda: worker.stats().deciding == 2)
    more = await offered(alice, name)
    began = time.monotonic()
    worker.stop()
    await running
    assert 1.9 < time.monotonic() - began < 8 and ended == ["stuck"]
    assert (await slow.sync()).is_accepted("h1")
    assert (await stuck.sync()).active_offer() and (await more.sync()).active_offer()
    # Nothing of it is left: neither a task nor a word.
    await asyncio.sleep(0.1)
    gc.collect()
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    assert [task for task in others if "handover_macp" in str(task.get_coro())] == []
    assert said(caplog) == []
    with pytest.raises(Exception, match="a worker runs once"):
        await worker.run()


async def test_cancelling_run_ends_it_too(alice, me):
    running = asyncio.create_task(HandoffWorker(me, lambda offer: True).run())
    await asyncio.sleep(0.2)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    assert [task for task in others if "handover_macp" in str(task.get_coro())] == []


async def test_cancelling_run_ends_it_although_a_decision_swallows_that(alice, me):
    await offered(alice, me.sender_hint())
    begun = asyncio.Event()

    async def decide(offer):
        begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return True

    running = asyncio.create_task(HandoffWorker(me, decide, context=AT_ONCE).run())
    await asyncio.wait_for(begun.wait(), 20)
    running.cancel()
    await asyncio.wait([running], timeout=10)
    assert running.cancelled()


async def test_a_refused_credential_ends_it_with_the_reason():
    server = ServerProcess("--memory-only", env={"MACP_AUTH_TOKENS_JSON": '[{"token": "a-token", "sender": "bob"}]', "MACP_ALLOW_INSECURE": "1"})
    try:
        async with AsyncMacpClient(server.address, auth=AuthConfig.for_bearer("another", "bob")) as client:
            with pytest.raises(MacpTransportError, match="UNAUTHENTICATED"):
                await asyncio.wait_for(HandoffWorker(client, lambda offer: True).run(), 20)
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("decide", {"decide": 3}),
        ("agent", {"agent": ""}),
        ("concurrency", {"concurrency": 0}),
        ("streams", {"streams": 0}),
        ("drain_ms", {"drain_ms": -1}),
        ("retry.backoff_base", {"retry": ReconnectPolicy(backoff_base=-1)}),
        ("retry.max_attempts", {"retry": ReconnectPolicy(max_attempts=0)}),
    ],
)
async def test_a_wrong_argument_is_named(me, argument, options):
    decide = options.pop("decide", lambda offer: True)
    with pytest.raises(MacpSessionError) as raised:
        HandoffWorker(me, decide, **options)
    assert raised.value.argument == argument


@pytest.mark.parametrize(
    ("argument", "make"),
    [
        ("context.first_ms", lambda: ContextWait(first_ms=-1)),
        ("context.quiet_ms", lambda: ContextWait(quiet_ms="150")),
    ],
)
def test_a_wrong_option_is_named(argument, make):
    with pytest.raises(MacpSessionError) as raised:
        make()
    assert raised.value.argument == argument
