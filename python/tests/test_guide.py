"""Every block of the guide (docs/guide/sdk-python.md), one after another, and what its comments promise."""

import re

from server_process import ROOT

GUIDE = ROOT / "docs" / "guide" / "sdk-python.md"
PROMISED = [
    "Voting {'canary': 2}",
    "owner-b accepted",
    "b'# Runbook'",
    "Committed True",
    "1 SessionStart",
    "5 Commitment",
    "target_participant",
    "SESSION_NOT_OPEN",
    "Look at the session with metadata()",
    "True",
    "RESOLVED None",
    "attested",
    "owner-c accepted INC-7",
]


def test_the_guide_runs_as_written(default_port, capsys):
    namespace = {}
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL), start=1):
        exec(compile(block, f"block {number} of the guide", "exec"), namespace)
    namespace["client"].close()
    printed = capsys.readouterr().out
    position = 0
    for promise in PROMISED:
        position = printed.find(promise, position)
        assert position >= 0, f"{promise!r} is missing in:\n{printed}"
