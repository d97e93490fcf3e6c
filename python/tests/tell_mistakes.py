"""Makes the mistakes of test/sdk/support/mistakes.ts in Python, under the same ids, and prints what the SDK says to each.

`tell_mistakes.py '{"grpc": …, "http": …, "tls": …, "ca": path}'`; test/sdk/mistakes.test.ts runs it.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from handover_macp import (
    AuthConfig,
    DecisionSession,
    HandoffSession,
    MacpClient,
    MacpSdkError,
    VotingRules,
    build_decision_policy,
    new_session_id,
)

START: dict[str, Any] = {"intent": "x", "participants": ["bob", "carol"], "ttl_ms": 60_000}
SERVERS: dict[str, Any] = json.loads(sys.argv[1])
ALICE = AuthConfig.for_dev_agent("alice")


@contextlib.contextmanager
def handoff(**options: Any) -> Iterator[HandoffSession]:
    """An open handoff from alice to bob."""
    with MacpClient(SERVERS["grpc"], auth=ALICE) as client:
        session = HandoffSession(client, **options)
        session.start(**START)
        session.offer("h1", "bob")
        yield session


def connect(target: str, **options: Any) -> None:
    with MacpClient(target, auth=ALICE, **options) as client:
        client.list_modes()


def start(change: dict[str, Any], **options: Any) -> None:
    with MacpClient(SERVERS["grpc"], auth=ALICE) as client:
        HandoffSession(client, **options).start(**{**START, **change})


def with_token(auth: AuthConfig, act: Callable[[MacpClient], object]) -> None:
    with MacpClient(SERVERS["tls"], root_certificates=Path(SERVERS["ca"]).read_bytes(), auth=auth) as client:
        act(client)


def in_handoff(act: Callable[[HandoffSession], object]) -> Callable[[], None]:
    def make() -> None:
        with handoff() as session:
            act(session)

    return make


def to_silence() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        connect(f"127.0.0.1:{silent.getsockname()[1]}", default_timeout=0.2)


def session_over(session: HandoffSession) -> None:
    session.cancel("over")
    session.decline("h1", sender="bob")


def id_used_again(session: HandoffSession) -> None:
    session.add_context("h1", content_type="a/a", message_id="m1")
    session.add_context("h1", content_type="b/b", message_id="m1")


def unknown_session() -> None:
    with MacpClient(SERVERS["grpc"], auth=ALICE) as client:
        client.get_session(new_session_id())


def policy_denied() -> None:
    with MacpClient(SERVERS["grpc"], auth=ALICE) as client:
        # TypeScript may have registered it before.
        client.register_policy(build_decision_policy("policy.mistake", "all say yes", voting=VotingRules("unanimous")))
        session = DecisionSession(client, policy_version="policy.mistake")
        session.start(**START)
        session.propose("p1", "go", sender="bob")
        session.commit("option.selected", "s", "r")


def too_often(client: MacpClient) -> None:
    while True:
        HandoffSession(client).start(**START, timeout=2)


def client_closed() -> None:
    client = MacpClient(SERVERS["grpc"], auth=ALICE)
    client.close()
    client.list_modes()


def other_sender(client: MacpClient) -> None:
    HandoffSession(client).start(**START, sender="bob")


MISTAKES: dict[str, Callable[[], object]] = {
    "address-is-url": lambda: connect("http://127.0.0.1:3100"),
    "address-without-port": lambda: connect("localhost"),
    "address-blank": lambda: connect(""),
    "plaintext-elsewhere": lambda: connect("runtime.example.com:50051", secure=False),
    "tls-against-plaintext": lambda: connect(SERVERS["grpc"], secure=True),
    "plaintext-against-tls": lambda: connect(SERVERS["tls"]),
    "certificate-not-trusted": lambda: connect(SERVERS["tls"], secure=True),
    "http-port": lambda: connect(SERVERS["http"].replace("http://", "")),
    "server-down": lambda: connect("127.0.0.1:1"),
    "unknown-host": lambda: connect("runtime.invalid:50051", allow_insecure=True),
    "silent-server": to_silence,
    "wrong-token": lambda: with_token(
        AuthConfig.for_bearer("no such token", "alice"), lambda client: HandoffSession(client).start(**START)
    ),
    "other-sender": lambda: with_token(AuthConfig.for_bearer("secret", expected_sender="alice"), other_sender),
    "nobody-takes-part": lambda: start({"participants": []}),
    "only-the-owner": lambda: start({"participants": ["alice"]}),
    "ttl-in-seconds": lambda: start({"ttl_ms": 0}),
    "text-for-bytes": lambda: start({"context": "all quiet"}),
    "unknown-policy": lambda: start({}, policy_version="policy.none"),
    "unlisted-target": in_handoff(lambda session: session.offer("h2", "dave")),
    "second-offer": in_handoff(lambda session: session.offer("h2", "carol")),
    "not-the-target": in_handoff(lambda session: session.accept_handoff("h1", sender="carol")),
    "outcome-unsaid": in_handoff(lambda session: session.commit("well.done")),
    "session-over": in_handoff(session_over),
    "id-used-again": in_handoff(id_used_again),
    "unknown-session": unknown_session,
    "policy-denied": policy_denied,
    "too-large": in_handoff(lambda session: session.add_context("h1", context=bytes(2_000_000))),
    "too-often": lambda: with_token(AuthConfig.for_bearer("secret", "alice"), too_often),
    "client-closed": client_closed,
}


def told(error: MacpSdkError) -> dict[str, Any]:
    """Without what differs from run to run."""
    message = re.sub(r"127\.0\.0\.1:(?!3100|50051|1\b)\d+", "127.0.0.1:PORT", str(error))
    message = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "ID", message)
    message = re.sub(r"\b\d+(\.\d+)?( ms|s\b)", r"N\2", message)
    code = error.macp_code or getattr(error, "code", None)
    argument = getattr(error, "argument", None)
    return {
        "error": type(error).__name__,
        **({} if code is None else {"code": code}),
        **({} if argument is None else {"argument": argument}),
        "message": re.sub(r"\s+", " ", message),
        **({} if error.retry_after_ms is None else {"retryAfter": True}),
        **({"denials": [denial.code for denial in error.denials]} if error.denials else {}),
    }


def said_to(make: Callable[[], object]) -> dict[str, Any]:
    try:
        make()
    except MacpSdkError as error:
        return told(error)
    raise AssertionError("nothing was said")


print(json.dumps({name: said_to(make) for name, make in MISTAKES.items()}, ensure_ascii=False, indent=2))
