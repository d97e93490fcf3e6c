"""Servers that the tests talk to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_server import FakeServer
from macp_sdk import AuthConfig, MacpClient
from server_process import ServerProcess, dev_server


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    """One real server in dev mode for all tests that do not stop it."""
    process = dev_server()
    yield process
    process.stop()


@pytest.fixture
def owner(server: ServerProcess) -> Iterator[MacpClient]:
    """A client of agent `owner-a`."""
    with MacpClient(server.address, secure=False, auth=AuthConfig.for_dev_agent("owner-a")) as client:
        yield client


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    """A scripted server."""
    process = FakeServer()
    yield process
    process.stop()


@pytest.fixture
def fake_client(fake: FakeServer) -> Iterator[MacpClient]:
    """A client of the scripted server."""
    with MacpClient(fake.address, secure=False, auth=AuthConfig.for_dev_agent("owner-a")) as client:
        yield client
