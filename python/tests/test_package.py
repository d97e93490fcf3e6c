"""What is shipped: the package's data files, its types, and no dependency beyond the two."""

import re
import subprocess
import sys

from server_process import ROOT

PROJECT = (ROOT / "python" / "pyproject.toml").read_text()


def test_the_version_is_told_once():
    from macp_sdk import VERSION

    assert f'version = "{VERSION}"' in PROJECT


def test_only_two_dependencies():
    listed = re.search(r"^dependencies = \[(.*)\]$", PROJECT, re.MULTILINE).group(1)
    assert sorted(re.findall(r'"([a-z]+)', listed)) == ["grpcio", "protobuf"]


def test_data_files_are_shipped():
    for name in ("py.typed", "_descriptors.binpb"):
        assert (ROOT / "python" / "src" / "macp_sdk" / name).exists()
        assert f'"{name}"' in PROJECT


def test_nothing_else_is_imported():
    program = "import sys, macp_sdk, macp_sdk.aio; print(*{name.split('.')[0] for name in sys.modules})"
    environment = {"PYTHONPATH": str(ROOT / "python" / "src")}
    command = [sys.executable, "-c", program]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    known = set(sys.stdlib_module_names) | {"macp_sdk", "grpc", "google", "typing_extensions"}
    outside = {name for name in output.stdout.split() if not name.startswith("_") and name not in known}
    assert outside - {"sitecustomize", "usercustomize", "cython_runtime"} == set()
