"""The node for LangGraph, whose graph goes from process to process."""

import json
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("graph_process.py")
OFFERED = ["SessionStart", "HandoffOffer", "HandoffContext"]
ANSWER = {"by": "dba", "disposition": "accepted", "reason": "on it"}


@pytest.fixture
def process(tmp_path):
    thread = str(uuid.uuid4())

    def start(step, patience=0.3):
        command = [sys.executable, PROGRAM, tmp_path / "checkpoints.db", thread, step, str(patience)]
        return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return start


def told(started):
    out, err = started.communicate(timeout=60)
    assert started.returncode == 0, err
    return json.loads(out)


def test_a_graph_that_waits_goes_on_in_another_process(process, target):
    first = told(process("start"))
    [waits] = first["waits"]
    assert first["answer"] is None and waits["waits_for"] == "dba"
    assert target.said(waits["session_id"]) == OFFERED

    # Too early: it waits again, for the same, and has said nothing new.
    assert told(process("resume")) == first
    assert target.said(waits["session_id"]) == OFFERED

    waiting = process("wait")
    target.answer(waits["session_id"])
    assert told(waiting) == {"answer": ANSWER, "waits": []}
    assert target.said(waits["session_id"]) == [*OFFERED, "HandoffAccept", "Commitment"]
    assert target.session(waits["session_id"]).projection.contexts["to:dba"][0].json() == {"question": "is users locked?"}

    # The graph comes to the node a second time: that is another handoff.
    [other] = told(process("start"))["waits"]
    assert other["session_id"] != waits["session_id"]


def test_a_process_that_is_killed_in_the_node_leaves_nothing_twice(process, target):
    before = {entry.session_id for entry in target.client.list_sessions()}
    killed = process("start", patience=60)
    deadline = time.monotonic() + 30
    while not (new := {entry.session_id for entry in target.client.list_sessions()} - before):
        assert time.monotonic() < deadline and killed.poll() is None
        time.sleep(0.05)
    [session_id] = new
    target.offered(session_id)
    killed.kill()
    killed.communicate()

    [waits] = told(process("go-on"))["waits"]
    assert waits["session_id"] == session_id
    assert target.said(session_id) == OFFERED
    target.answer(session_id)
    assert told(process("resume")) == {"answer": ANSWER, "waits": []}
