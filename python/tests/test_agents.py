"""Agents against the real server: what they see, when they end, and the ready-made behaviours."""

import asyncio
import json

import pytest
from handover_macp import (
    MODE_DECISION,
    AuthConfig,
    MacpSdkError,
    MacpSessionError,
    MacpUnknownSessionError,
    MacpUnsupportedError,
    build_envelope,
    build_handoff_policy,
    decode_payload,
    new_session_id,
)
from handover_macp._wire import METHODS
from handover_macp.agent import (
    ContextWait,
    InitiatorPlan,
    Participant,
    accept_when,
    decline_when_busy,
    escalate,
    from_bootstrap,
)
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient

START = {"intent": "x", "participants": ["bob", "carol"], "ttl_ms": 60_000}
AT_ONCE = ContextWait(first_ms=0)


@pytest.fixture
async def client(server):
    async with AsyncMacpClient(server.address, auth=AuthConfig.for_dev_agent("alice")) as client:
        yield client


class Pair:
    """The owner's session, and agents in it."""

    def __init__(self, client, **options):
        self.client = client
        self.options = options
        self.session_id = new_session_id()
        self.owner = AsyncHandoffSession(client, self.session_id, **options)

    def agent(self, name, **more):
        return Participant(participant_id=name, session_id=self.session_id, client=self.client, **self.options, **more)

    async def until(self, said):
        """Waits until the server's history says something."""
        for _ in range(400):
            if said(await self.owner.sync()):
                return
            await asyncio.sleep(0.05)
        raise AssertionError("it was never said")


async def test_every_message_once_in_order_and_the_end_is_the_commitment(client):
    pair = Pair(client)
    await pair.owner.start(**START)
    seen, phases, ends = [], [], []
    bob = pair.agent("bob").use(accept_when(lambda offered: True, context=AT_ONCE))
    bob.on("*", lambda message, context: seen.append((message.sequence, message.message_type)))
    bob.on_phase_change("*", lambda change, context: phases.append((change.previous, change.phase)))
    bob.on_terminal(lambda result, context: ends.append(result.state))
    running = asyncio.create_task(bob.run())
    await pair.owner.offer("h1", "bob", scope="s")
    await pair.until(lambda told: told.is_accepted("h1"))
    assert not bob.is_stopped
    await pair.owner.commit()
    result = await running
    assert (result.state, result.commitment.reason) == ("RESOLVED", "bob accepted s")
    assert seen == [(1, "SessionStart"), (2, "HandoffOffer"), (3, "HandoffAccept"), (4, "Commitment")]
    assert phases == [("Pending", "OfferPending"), ("OfferPending", "Accepted"), ("Accepted", "Committed")]
    assert ends == ["RESOLVED"] and bob.is_stopped


async def test_a_second_offer_after_a_decline(client):
    pair = Pair(client)
    await pair.owner.start(**START)
    agents = [pair.agent("bob").use(decline_when_busy(lambda: True)), pair.agent("carol").use(accept_when(lambda _: True, context=AT_ONCE))]
    running = asyncio.gather(*(agent.run() for agent in agents))
    await pair.owner.offer("h1", "bob")
    await pair.until(lambda told: told.is_declined("h1"))
    await pair.owner.offer("h2", "carol")
    await pair.until(lambda told: told.is_accepted("h2"))
    await pair.owner.commit()
    assert [result.state for result in await running] == ["RESOLVED", "RESOLVED"]
    assert len(agents[0].projection.offers) == 2


async def test_two_strategies_answer_once(client):
    pair = Pair(client)
    await pair.owner.start(**START)
    bob = pair.agent("bob").use(decline_when_busy(lambda: True, reason="in a meeting")).use(accept_when(lambda _: True))
    running = asyncio.create_task(bob.run())
    await pair.owner.offer("h1", "bob")
    await pair.until(lambda told: told.is_declined("h1"))
    assert pair.owner.projection.offers["h1"].outcome_reason == "in a meeting"
    await pair.owner.cancel()
    assert (await running).state == "CANCELLED"


async def test_a_decision_on_the_context(client):
    pair = Pair(client)
    await pair.owner.start(**START)

    async def readable(offered):
        return offered.contexts[0].content_type == "text/plain"

    bob = pair.agent("bob").use(accept_when(readable, after_context=True, decline_reason="cannot read this"))
    running = asyncio.create_task(bob.run())
    await pair.owner.offer("h1", "bob")
    await pair.owner.add_context("h1", content_type="application/x-unknown")
    await pair.until(lambda told: told.is_declined("h1"))
    assert pair.owner.projection.offers["h1"].outcome_reason == "cannot read this"
    bob.stop()
    assert await running is None


async def test_two_hundred_decisions_see_the_context_that_was_sent(client):
    seen = {}

    async def hand_over(number):
        pair = Pair(client)
        await pair.owner.start(**START)

        def decide(offered):
            assert number not in seen
            seen[number] = (offered.waited, [record.context for record in offered.contexts])
            return True

        bob = pair.agent("bob").use(accept_when(decide, context=ContextWait(first_ms=800)))
        running = asyncio.create_task(bob.run())
        await pair.owner.offer("h1", "bob")
        await asyncio.sleep(number % 4 * 0.1)
        for part in range(number % 3):
            await pair.owner.add_context("h1", content_type="text/plain", context=b"%d" % part)
        await pair.owner.wait_for_answer("h1", timeout=30)
        await pair.owner.cancel()
        await running
        return [record.context for record in bob.projection.contexts.get("h1", ()) if not record.late]

    late = 0
    for start in range(0, 200, 20):
        in_time = await asyncio.gather(*(hand_over(number) for number in range(start, start + 20)))
        for number, contexts in enumerate(in_time, start):
            waited, known = seen[number]
            assert waited == ("context" if known else "stopped")
            sent = [b"%d" % part for part in range(number % 3)]
            assert known == contexts[: len(known)] == sent[: len(known)]
            late += known != sent
    # A machine that is busy may be slower than the wait.
    assert late <= 10


async def test_the_context_brings_the_decision_on(client):
    pair = Pair(client)
    await pair.owner.start(**START)
    wait = ContextWait(first_ms=60_000, quiet_ms=100)
    bob = pair.agent("bob").use(accept_when(lambda offered: offered.waited == "context", context=wait))
    running = asyncio.create_task(bob.run())
    await pair.owner.offer("h1", "bob")
    await pair.owner.add_context("h1")
    assert (await pair.owner.wait_for_answer("h1", timeout=15)).disposition == "accepted"
    await pair.owner.cancel()
    await running


async def test_no_wait_where_none_is_wanted_or_nothing_follows(client):
    pair = Pair(client)
    await pair.owner.start(**START)
    waited = []
    decide = lambda offered: waited.append(offered.waited) or False  # noqa: E731
    bob = pair.agent("bob").use(accept_when(decide, context=ContextWait(first_ms=0), otherwise="ignore"))
    running = asyncio.create_task(bob.run())
    await pair.owner.offer("h1", "bob")
    while not waited:
        await asyncio.sleep(0.01)
    bob.stop()
    await running
    # What is handed in from outside is decided on at once.
    await pair.owner.sync()
    carol = pair.agent("bob").use(accept_when(decide, otherwise="ignore"))
    for sequence, envelope in enumerate(pair.owner.projection.transcript, 1):
        await carol.process_event(envelope, sequence)
    assert waited == ["stopped", "stopped"]


async def test_an_offer_that_ends_while_its_context_is_waited_for_is_not_decided_on(client):
    pair = Pair(client)
    await pair.owner.start(**START)
    calls = []
    bob = pair.agent("bob").use(accept_when(lambda offered: calls.append(offered) or True, context=ContextWait(first_ms=300)))
    running = asyncio.create_task(bob.run())
    await pair.owner.offer("h1", "bob")
    await pair.owner.accept_handoff("h1", sender="bob")
    await asyncio.sleep(0.5)
    bob.stop()
    await running
    assert calls == []


async def test_a_late_decision_that_fails_ends_the_agent(client):
    pair = Pair(client)
    await pair.owner.start(**START)
    await pair.owner.offer("h1", "bob")
    wait = ContextWait(first_ms=50)
    with pytest.raises(ZeroDivisionError):
        await asyncio.wait_for(pair.agent("bob").use(accept_when(lambda offered: 1 / 0, context=wait)).run(), 10)
    errors = []
    bob = pair.agent("bob").use(accept_when(lambda offered: 1 / 0, context=wait)).on_error(errors.append)
    running = asyncio.create_task(bob.run())
    while not errors:
        await asyncio.sleep(0.01)
    await pair.owner.cancel()
    assert (await asyncio.wait_for(running, 10)).state == "CANCELLED"


async def test_an_expiry_which_no_envelope_tells(client):
    pair = Pair(client)
    await pair.owner.start(**{**START, "ttl_ms": 300})
    ends = []
    bob = pair.agent("bob").on_terminal(lambda result, context: ends.append(result.state))
    assert (await asyncio.wait_for(bob.run(), 20)).state == "EXPIRED"
    assert (await asyncio.wait_for(pair.agent("carol").run(), 20)).state == "EXPIRED"
    assert ends == ["EXPIRED"] and len(bob.projection.transcript) == 1


async def test_a_session_that_is_not_there_yet(client):
    pair = Pair(client)
    running = asyncio.create_task(pair.agent("bob").run())
    await asyncio.sleep(0.3)
    await pair.owner.start(**START)
    await pair.owner.cancel()
    assert (await asyncio.wait_for(running, 20)).state == "CANCELLED"
    with pytest.raises(MacpUnknownSessionError):
        await Pair(client).agent("bob", wait_for_session=0).run()


async def test_errors_of_handlers(client):
    def mistake(message, context):
        raise ValueError("my mistake")

    pair = Pair(client)
    await pair.owner.start(**START)
    with pytest.raises(ValueError, match="my mistake"):
        await pair.agent("bob").on("SessionStart", mistake).run()
    errors = []
    running = asyncio.create_task(pair.agent("bob").on("SessionStart", mistake).on_error(errors.append).run())
    await pair.owner.cancel()
    assert (await running).state == "CANCELLED" and len(errors) == 1


async def test_a_handler_ends_before_the_agent_does(client):
    pair = Pair(client)
    await pair.owner.start(**START)
    steps = []
    bob = pair.agent("bob")

    async def slow(message, context):
        steps.append("begun")
        bob.stop()
        await asyncio.sleep(0.2)
        steps.append("done")

    assert await bob.on("SessionStart", slow).run() is None
    assert steps == ["begun", "done"]
    with pytest.raises(MacpSdkError, match="running already"):
        await bob.run()


async def test_other_modes(client):
    session_id = new_session_id()

    def participant(name, **more):
        return Participant(participant_id=name, session_id=session_id, client=client, mode=MODE_DECISION, **more)

    plan = InitiatorPlan({**START, "participants": ["alice", "bob"]})
    alice, bob = participant("alice", initiator=plan), participant("bob")
    alice.on("SessionStart", lambda _, context: context.session.propose("p1", "this"))
    alice.on("Vote", lambda _, context: context.session.commit("decision.selected", "s", "bob agrees"))
    bob.on("Proposal", lambda message, context: context.session.vote(message.payload["proposal_id"], "approve"))
    results = await asyncio.wait_for(asyncio.gather(alice.run(), bob.run()), 20)
    assert [result.commitment.reason for result in results] == ["bob agrees", "bob agrees"]
    with pytest.raises(MacpSessionError, match="mode"):
        Participant(participant_id="a", session_id=session_id, client=client, mode="ext.other")


async def escalating(client, policy_id, targets, silence_ms=200, **options):
    policy = build_handoff_policy(policy_id, "", implicit_decline_timeout_ms=silence_ms)
    await client.register_policy(policy)
    pair = Pair(client, policy_version=policy_id)
    strategy = escalate(targets, policy, **options)
    plan = InitiatorPlan(START)
    return pair, lambda: pair.agent("alice", initiator=plan).use(strategy)


async def test_escalation_past_a_silent_target(client):
    told = {"scope": "s", "context": lambda target: ("text/plain", target.encode())}
    # Long enough for carol on a machine that is busy.
    pair, owner = await escalating(client, f"policy.{new_session_id()}", ["bob", "carol"], silence_ms=2_000, **told)
    carol = pair.agent("carol").use(accept_when(lambda offered: offered.contexts[0].context == b"carol", after_context=True))
    result, _ = await asyncio.wait_for(asyncio.gather(owner().run(), carol.run()), 30)
    assert (result.state, result.commitment.reason) == ("RESOLVED", "carol accepted s")
    # Started again, it says nothing new and sees the same end.
    again = await asyncio.wait_for(owner().run(), 20)
    assert again == result
    assert len((await pair.owner.sync()).transcript) == len(carol.projection.transcript)


async def test_escalation_when_nobody_takes_over(client):
    pair, owner = await escalating(client, f"policy.{new_session_id()}", ["bob", "carol"])
    result = await asyncio.wait_for(owner().run(), 30)
    assert result.commitment.action == "handoff.declined" and not result.commitment.outcome_positive


def test_escalation_needs_a_policy_that_ends_silence(server):
    lax, strict = build_handoff_policy("p.lax", ""), build_handoff_policy("p.strict", "", implicit_decline_timeout_ms=1)
    with pytest.raises(MacpSessionError, match="implicit_decline_timeout_ms"):
        escalate(["bob"], lax)
    client = AsyncMacpClient(server.address, auth=AuthConfig.for_dev_agent("alice"))
    other = Participant(participant_id="alice", session_id=new_session_id(), client=client)
    with pytest.raises(MacpSessionError, match="policy_version of the participant must be 'p.strict'"):
        other.use(escalate(["bob"], strict))


async def test_escalation_needs_a_server_that_knows_the_rule(fake):
    fake.unary["Initialize"] = lambda request, context: METHODS["Initialize"].response()
    policy = build_handoff_policy("p", "", implicit_decline_timeout_ms=1)
    async with AsyncMacpClient(fake.address, auth=AuthConfig.for_dev_agent("alice")) as client:
        pair = Pair(client, policy_version="p")
        alice = pair.agent("alice").use(escalate(["bob"], policy))
        start = build_envelope(
            mode="macp.mode.handoff.v1",
            message_type="SessionStart",
            session_id=pair.session_id,
            payload={"participants": ["alice", "bob"]},
            sender="alice",
        )
        with pytest.raises(MacpUnsupportedError, match="x-handover.rules"):
            await alice.process_event(start, 1)


def bootstrap(folder, address, **changes):
    document = {
        "session_id": new_session_id(),
        "participant_id": "alice",
        "mode": "macp.mode.handoff.v1",
        "runtime_address": address,
        "initiator": {
            "session_start": {**START, "extensions": {"note": {"a": 1}, "raw": "/wA="}, "roots": [{"uri": "file:///x"}]},
            "kickoff": {"message_type": "HandoffOffer", "payload": {"handoff_id": "h1", "target_participant": "bob"}},
        },
        **changes,
    }
    path = folder / "bootstrap.json"
    path.write_text(json.dumps({key: value for key, value in document.items() if value is not None}))
    return str(path)


@pytest.mark.parametrize("form", ["{}", "http://{}"])
async def test_a_bootstrap_file(server, tmp_path, monkeypatch, form):
    monkeypatch.setenv("MACP_BOOTSTRAP_FILE", bootstrap(tmp_path, form.format(server.address)))
    alice = from_bootstrap()
    alice.on("HandoffOffer", lambda _, context: context.session.cancel("seen"))
    assert (await asyncio.wait_for(alice.run(), 20)).state == "CANCELLED"
    assert alice.projection.offers["h1"].offered_by == "alice"
    assert set((await alice.session.metadata()).extension_keys) == {"note", "raw"}
    start = decode_payload(alice.projection.transcript[0])
    assert start["extensions"] == {"note": b'{"a":1}', "raw": b"\xff\x00"}
    await alice.client.close()


@pytest.mark.parametrize(
    ("argument", "changes"),
    [
        ("session_id", {"session_id": None}),
        ("participant_id", {"participant_id": " "}),
        ("mode", {"mode": 1}),
        ("runtime_address", {"runtime_address": None}),
        ("auth_token", {"auth_token": ""}),
        ("bearer_token", {"auth": {"bearer_token": " "}}),
        ("extensions.x", {"initiator": {"session_start": {**START, "extensions": {"x": "no base64"}}}}),
        ("kickoff", {"initiator": {"session_start": START, "kickoff": {"message_type": "HandoffOffer", "payload": {"no": 1}}}}),
    ],
)
def test_a_bootstrap_file_that_lacks_something(tmp_path, argument, changes):
    with pytest.raises(MacpSessionError) as raised:
        from_bootstrap(bootstrap(tmp_path, "127.0.0.1:1", **changes))
    assert raised.value.argument == argument


def test_a_bootstrap_file_as_other_sdks_write_it(tmp_path):
    changes = {"auth": {"bearer_token": "a-token"}, "participants": ["bob"], "runtime_address": None, "runtime_url": "https://a.example:1"}
    start = {key: value for key, value in START.items() if key != "participants"}
    agent = from_bootstrap(bootstrap(tmp_path, None, **changes, initiator={"session_start": start}))
    assert (agent._auth.bearer_token, agent._auth.expected_sender) == ("a-token", "alice")
    assert agent._initiator.session_start["participants"] == ["bob"]
    assert agent.client._transport.target.is_secure


def test_no_bootstrap_file(monkeypatch):
    monkeypatch.delenv("MACP_BOOTSTRAP_FILE", raising=False)
    with pytest.raises(MacpSessionError, match="MACP_BOOTSTRAP_FILE"):
        from_bootstrap()
    with pytest.raises(MacpSessionError, match="path names no bootstrap file") as raised:
        from_bootstrap("/no/such/file.json")
    assert raised.value.argument == "path"
