"""Agents of a real server, and the README's blocks."""

import asyncio
import os
import re
import time
from pathlib import Path

import pytest
from handover_macp import AuthConfig, MacpClient
from handover_macp.aio import AsyncMacpClient
from handover_macp.handoff import HandoffSession

ADDRESS = os.environ["HANDOVER_ADDRESS"]
README = Path(__file__).parents[2] / "examples" / "bridges" / "README.md"


def block(heading):
    """What the code below a heading of the README defines."""
    text = README.read_text().split(f"\n## {heading}\n")[1]
    defined = {"__name__": heading.lower().replace(" ", "_")}
    exec(compile(re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1), str(README), "exec"), defined)
    return defined


def agent(name):
    return MacpClient(ADDRESS, auth=AuthConfig.for_dev_agent(name))


def async_agent(name):
    return AsyncMacpClient(ADDRESS, auth=AuthConfig.for_dev_agent(name))


async def soon(*running):
    """What these have to say, together; what waits for ever is an error."""
    return await asyncio.wait_for(asyncio.gather(*running), 30)


class Target:
    """The agent to whom everything is handed."""

    def __init__(self, client):
        self.client = client

    def session(self, session_id):
        session = HandoffSession(self.client, session_id)
        session.sync()
        return session

    def offered(self, session_id):
        """The session once the offer and its context are there."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if any(entry.session_id == session_id for entry in self.client.list_sessions()):
                session = self.session(session_id)
                if session.projection.contexts.get("to:dba"):
                    return session
            time.sleep(0.05)
        raise AssertionError(f"nothing was offered in {session_id}")

    def answer(self, session_id, reason="on it"):
        self.offered(session_id).accept_handoff("to:dba", reason=reason)

    def said(self, session_id):
        """The types of everything that was said."""
        return [envelope.message_type for envelope in self.session(session_id).projection.transcript]


@pytest.fixture
def target():
    with agent("dba") as client:
        yield Target(client)
