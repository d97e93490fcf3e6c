"""Every code block of seed 001, character for character, against the real server.

The blocks are in `seed_001/`, named after their lines in the page. The first block names its server, 127.0.0.1:50051,
so the server of these tests listens there. The second block goes on from the first. The third declines the offer that the
first accepts; it runs in a session of its own that includes owner-c.
"""

import importlib
from pathlib import Path

import pytest
from macp_sdk import MacpAckError
from server_process import ROOT

FOLDER = Path(__file__).with_name("seed_001")
PAGE = ROOT.parent / "shared" / "seeds" / "001_59b241a2a9d5a0fe.txt"

PRELUDE_OF_REOFFER = """
from macp_sdk import AuthConfig, MacpClient
from macp_sdk.handoff import HandoffSession

client = MacpClient(target="127.0.0.1:50051", secure=False, auth=AuthConfig.for_dev_agent("owner-a"))
session = HandoffSession(client)
session.start(intent="transfer", participants=["owner-a", "owner-b", "owner-c"], ttl_ms=60_000)
session.offer("h1", "owner-b", scope="service-xyz-oncall")
"""


def run(lines, namespace):
    """Runs a block as it stands."""
    code = (FOLDER / f"{lines}.txt").read_text()
    exec(compile(code, f"seed 001, lines {lines}", "exec"), namespace)


def first_block():
    namespace = {}
    run("063-099", namespace)
    return namespace


def test_session_helper(default_port):
    session = first_block()["session"]
    metadata = session.metadata()
    assert metadata.state == "RESOLVED"
    assert metadata.extension_keys == ("context",)
    assert session.handoff_projection.commitment.outcome_positive is True
    assert session.handoff_projection.frozen_context == b'{"service": "service-xyz", "current_state": "healthy"}'


def test_projection_queries(default_port):
    namespace = first_block()
    run("103-123", namespace)
    proj = namespace["proj"]
    # What the page's comments promise, line by line.
    offer_type = importlib.import_module("macp_sdk.handoff").HandoffOfferRecord
    assert isinstance(proj.offers, dict) and isinstance(proj.offers["h1"], offer_type)
    assert proj.offers["h1"].target_participant == "owner-b"
    assert proj.offers["h1"].scope == "service-xyz-oncall"
    assert proj.offers["h1"].disposition == "accepted"
    assert proj.active_offer() is None
    assert proj.is_accepted("h1") is True
    assert proj.is_declined("h1") is False
    assert isinstance(proj.contexts, dict) and isinstance(proj.contexts["h1"], list)
    assert proj.contexts["h1"][0].content_type == "application/json"
    assert proj.phase == "Committed"


def test_declines_and_reoffers(default_port):
    namespace = {}
    exec(PRELUDE_OF_REOFFER, namespace)
    run("127-139", namespace)
    session = namespace["session"]
    dispositions = {key: offer.disposition for key, offer in session.handoff_projection.offers.items()}
    assert dispositions == {"h1": "declined", "h2": "accepted"}
    assert session.metadata().state == "RESOLVED"


@pytest.mark.parametrize(
    ("method", "handoff_id", "sender", "code"),
    [
        ("accept_handoff", "h1", "owner-c", "FORBIDDEN"),
        ("decline", "h1", "owner-c", "FORBIDDEN"),
        ("accept_handoff", "h9", "owner-b", "INVALID_ENVELOPE"),
        ("decline", "h9", "owner-b", "INVALID_ENVELOPE"),
    ],
)
def test_error_cases(default_port, method, handoff_id, sender, code):
    """The table of lines 143 to 146."""
    namespace = {}
    exec(PRELUDE_OF_REOFFER, namespace)
    with pytest.raises(MacpAckError) as raised:
        getattr(namespace["session"], method)(handoff_id, sender=sender)
    assert raised.value.code == code


@pytest.mark.parametrize("name", ["HandoffSession", "HandoffProjection"])
def test_api_reference(name):
    """Lines 150 and 152 name where these live."""
    assert getattr(importlib.import_module("macp_sdk.handoff"), name).__doc__


def test_the_blocks_are_the_pages():
    if not PAGE.exists():
        pytest.skip("the seed pages are not beside this repository")
    page = PAGE.read_text().split("\n")
    for path in sorted(FOLDER.glob("*.txt")):
        first, last = map(int, path.stem.split("-"))
        assert path.read_text() == "\n".join(page[first - 1 : last]) + "\n", path.name


def test_every_code_line_of_the_page_is_in_a_block():
    if not PAGE.exists():
        pytest.skip("the seed pages are not beside this repository")
    covered = set()
    for path in FOLDER.glob("*.txt"):
        first, last = map(int, path.stem.split("-"))
        covered.update(range(first, last + 1))
    marks = ("session.", "proj", "client =", "from macp_sdk", "session =")
    for number, line in enumerate(PAGE.read_text().split("\n"), start=1):
        if line.startswith(marks):
            assert number in covered, f"line {number} is code that no test runs"
