"""The example programs run and say what they promise."""

import json
import os
import subprocess
import sys

import pytest
from handover_macp import AuthConfig, MacpClient
from handover_macp.handoff import HandoffSession
from server_process import ROOT

ENV = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}


def start(path, *arguments, **env):
    return subprocess.Popen(
        [sys.executable, str(ROOT / path), *arguments],
        env={**ENV, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors


def test_handoff_smoke(server):
    code, output, errors = finish(start("examples/handoff_smoke.py", HANDOVER_ADDRESS=server.address))
    assert code == 0, errors
    assert "bob accepted frontend-ownership" in output


def test_owner_and_target_in_two_processes(server):
    owner = start("python/examples/owner.py", server.address, "py-target")
    started = json.loads(owner.stdout.readline())
    target = start("python/examples/target.py", server.address, started["session_id"], started["handoff_id"])
    code, output, errors = finish(target)
    assert code == 0, errors
    told = json.loads(output)
    assert (told["phase"], told["content_type"], told["outcome_positive"]) == ("Committed", "application/json", True)
    code, output, errors = finish(owner)
    assert code == 0, errors
    assert json.loads(output)["answered_by"] == "py-target"


@pytest.mark.parametrize("path", ["python/examples/owner.py", "python/examples/target.py"])
def test_wrong_usage_is_explained(path):
    code, _, errors = finish(start(path))
    assert code != 0 and "Usage:" in errors


def test_the_owner_ends_badly_when_declined(server):
    owner = start("python/examples/owner.py", server.address, "py-target")
    session_id = json.loads(owner.stdout.readline())["session_id"]
    with MacpClient(server.address, secure=False, auth=AuthConfig.for_dev_agent("py-target")) as client:
        session = HandoffSession(client, session_id)
        with session.open_stream() as stream:
            while not session.projection.contexts.get("h1"):
                stream.read(timeout=10)
        session.decline("h1", reason="busy")
    code, output, _ = finish(owner)
    assert code == 1
    assert json.loads(output)["disposition"] == "declined"
