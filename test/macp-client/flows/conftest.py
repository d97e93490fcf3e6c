"""Clients of the agents of these tests. The server and its credentials come from client.test.ts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from macp_sdk import AuthConfig, MacpClient

Agent = Callable[[str], MacpClient]

TARGET = os.environ["MACP_TARGET"]
CERTIFICATE = os.environ.get("MACP_CERTIFICATE")


def auth(name: str) -> AuthConfig:
    """How the SDK's documentation has it: an agent's name in dev mode, its token elsewhere."""
    if CERTIFICATE is None:
        return AuthConfig.for_dev_agent(name)
    return AuthConfig.for_bearer(f"{name}-token", expected_sender=name)


def connection() -> dict[str, object]:
    """The arguments of a client that say where the server is."""
    if CERTIFICATE is None:
        return {"target": TARGET, "allow_insecure": True}
    return {"target": TARGET, "root_certificates": Path(CERTIFICATE).read_bytes()}


@pytest.fixture
def agent() -> Iterator[Agent]:
    """Makes clients; closes them after the test."""
    clients: list[MacpClient] = []

    def connect(name: str) -> MacpClient:
        clients.append(MacpClient(**connection(), auth=auth(name), default_timeout=30))
        return clients[-1]

    yield connect
    for client in clients:
        client.close()
