"""What is shipped: the package's data files, its types, and no dependency beyond the two."""

import re
import subprocess
import sys

from server_process import ROOT

PROJECT = (ROOT / "python" / "pyproject.toml").read_text()


def test_the_version_is_told_once():
    from handover_macp import VERSION

    assert f'version = "{VERSION}"' in PROJECT


def test_only_two_dependencies():
    listed = re.search(r"^dependencies = \[(.*)\]$", PROJECT, re.MULTILINE).group(1)
    assert sorted(re.findall(r'"([a-z]+)', listed)) == ["grpcio", "protobuf"]


PROGRAM = """
import sys
sys.modules["opentelemetry"] = None  # Used where it is there: test_tracing.py.
import grpc, grpc.aio
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
before = {name.split(".")[0] for name in sys.modules}
import handover_macp, handover_macp.aio
after = {name.split(".")[0] for name in sys.modules}
print(*(after - before - set(sys.stdlib_module_names)))
"""


def test_nothing_else_is_imported():
    command = [sys.executable, "-c", PROGRAM]
    environment = {"PYTHONPATH": str(ROOT / "python" / "src")}
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert output.stdout.split() == ["handover_macp"]
