"""The client's agents: programs that listen to a session and answer."""

from __future__ import annotations

import base64
import json
import threading
from pathlib import Path

from macp_sdk import MODE_DECISION, RetryPolicy, new_session_id
from macp_sdk.agent import (
    EvaluationResult,
    GrpcTransportAdapter,
    InitiatorConfig,
    Participant,
    VoteResult,
    evaluation_handler,
    from_bootstrap,
    function_evaluator,
    function_voter,
    voting_handler,
)

from conftest import CERTIFICATE, TARGET, Agent, auth
from support import RESOLVED


def participant(agent: Agent, name: str, session_id: str, **options: object) -> Participant:
    client = agent(name)
    # Whoever listens before the session starts asks again.
    patience = RetryPolicy(max_retries=200)
    return Participant(
        participant_id=name,
        session_id=session_id,
        mode=MODE_DECISION,
        client=client,
        auth=auth(name),
        transport=GrpcTransportAdapter(client, session_id, subscribe_retry=patience),
        **options,
    )


def test_agents_decide_among_themselves(agent: Agent) -> None:
    session_id = new_session_id()
    people = ["coordinator", "alice", "bob"]
    initiator = InitiatorConfig(
        intent="deploy",
        participants=people,
        ttl_ms=60_000,
        context_id="run-1",
        extensions={"x-trace": b"\xff"},
        roots=[{"uri": "file:///repo", "name": "repo"}],
        kickoff_message_type="Proposal",
        kickoff_payload={"proposal_id": "p1", "option": "canary", "rationale": "small"},
    )
    coordinator = participant(agent, "coordinator", session_id, initiator_config=initiator)
    coordinator.on(
        "Vote",
        lambda _, ctx: ctx.actions.commit(
            "decision.selected", "release", reason=ctx.projection.majority_winner(), outcome_positive=True
        ),
    )
    alice = participant(agent, "alice", session_id)
    evaluate = function_evaluator(lambda *_: EvaluationResult("APPROVE", 0.9, "low risk"))
    alice.on("Proposal", evaluation_handler(evaluate))
    bob = participant(agent, "bob", session_id)
    vote = function_voter(
        lambda projection: bool(projection.evaluations), lambda _: VoteResult("APPROVE", "ship")
    )
    bob.on("Evaluation", voting_handler(vote))
    ends: dict[str, str] = {}
    threads = []
    for one in (alice, bob, coordinator):
        one.on_terminal(lambda result, name=one.participant_id: ends.setdefault(name, result.state))
        threads.append(threading.Thread(target=one.run, daemon=True))
        threads[-1].start()
    for thread in threads:
        thread.join(30)
    assert ends == dict.fromkeys(people, "Committed")
    assert all(one.projection.commitment.reason == "p1" for one in (coordinator, alice, bob))
    metadata = agent("alice").get_session(session_id).metadata
    assert (metadata.state, metadata.context_id) == (RESOLVED, "run-1")
    assert list(metadata.extension_keys) == ["x-trace"]


def test_an_agent_from_a_bootstrap_file(agent: Agent, tmp_path: Path) -> None:
    if CERTIFICATE is not None:
        # A bootstrap file cannot name a certificate authority: the agent needs one of the machine's.
        where = {"runtime_url": TARGET, "auth_token": "coordinator-token"}
    else:
        where = {"runtime_url": TARGET, "auth_token": "coordinator", "secure": False, "allow_insecure": True}
    session_id = new_session_id()
    bootstrap = tmp_path / "bootstrap.json"
    bootstrap.write_text(
        json.dumps(
            {
                **where,
                "participant_id": "coordinator",
                "session_id": session_id,
                "mode": MODE_DECISION,
                "participants": ["coordinator", "alice"],
                "initiator": {
                    "session_start": {
                        "intent": "deploy",
                        "participants": ["coordinator", "alice"],
                        "ttl_ms": 60_000,
                        "max_suspend_ms": 1_000,
                        "extensions": {"x-trace": base64.b64encode(b"\xff").decode()},
                    },
                    "kickoff": {"message_type": "Proposal", "payload": {"option": "canary"}},
                },
            }
        )
    )
    starter = from_bootstrap(str(bootstrap))
    starter.on("Proposal", lambda *_: starter.stop())
    starter.run()
    metadata = agent("alice").get_session(session_id).metadata
    assert (metadata.initiator, list(metadata.extension_keys)) == ("coordinator", ["x-trace"])
