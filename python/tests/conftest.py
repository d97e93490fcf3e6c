"""Servers that the tests talk to."""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Iterator

import pytest
from fake_server import FakeServer
from handover_macp import AuthConfig, MacpClient
from server_process import ServerProcess, dev_server


DEFAULT_PORT = 50051


def wait_for_the_default_port() -> None:
    """Another test of the repository may hold the port for a moment."""
    deadline = time.monotonic() + 60
    while True:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                return probe.bind(("127.0.0.1", DEFAULT_PORT))
            except OSError as error:
                if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                    pytest.fail(f"the documents' examples need port {DEFAULT_PORT}: {error}")
        time.sleep(0.5)


@pytest.fixture(scope="session")
def default_port() -> Iterator[ServerProcess]:
    """A real server at the address that the documents name."""
    wait_for_the_default_port()
    process = dev_server(bind=f"127.0.0.1:{DEFAULT_PORT}")
    yield process
    process.stop()


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    """One real server in dev mode for all tests that do not stop it."""
    process = dev_server()
    yield process
    process.stop()


@pytest.fixture
def own_server() -> Iterator[ServerProcess]:
    """One on which nobody else has said anything: for workers whose whole output is compared."""
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
