"""The guide (docs/guide/sdk-python.md) runs as written: its two programs against each other, its other blocks as one."""

import os
import re
import signal
import subprocess
import sys

from server_process import ROOT

GUIDE = (ROOT / "docs" / "guide" / "sdk-python.md").read_text()
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)


def is_named(block):
    return re.match(r"# \w+\.py\n", block)


def printed(name):
    return re.search(rf"^```text {name}\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)[1]


def start(name, folder, address, python, path):
    (program,) = [block for block in PROGRAMS if block.startswith(f"# {name}.py\n")]
    (folder / f"{name}.py").write_text(program)
    env = {**os.environ, "PYTHONPATH": str(path), "HANDOVER_ADDRESS": address}
    command = [python, "-W", "error", f"{name}.py"]
    return subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def hands_over_as_it_says(folder, address, python=sys.executable, path=ROOT / "python" / "src"):
    worker = start("worker", folder, address, python, path)
    owner = start("owner", folder, address, python, path)
    output, errors = owner.communicate(timeout=60)
    assert (output, errors, owner.returncode) == (printed("owner"), "", 0)
    worker.send_signal(signal.SIGINT)
    output, errors = worker.communicate(timeout=60)
    assert (output, errors, worker.returncode) == (printed("worker"), "", 0)
    assert (folder / "bob.journal").exists()


def test_one_process_hands_over_to_another_as_it_says(own_server, tmp_path):
    hands_over_as_it_says(tmp_path, own_server.address)


def test_the_other_blocks_run_as_one_program(own_server, monkeypatch):
    monkeypatch.setenv("HANDOVER_ADDRESS", own_server.address)
    blocks = [block for block in PROGRAMS if not is_named(block)]
    assert len(blocks) > 6
    namespace = {}
    for number, block in enumerate(blocks, start=1):
        exec(compile(block, f"block {number} of the guide", "exec"), namespace)
