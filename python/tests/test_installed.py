"""The client as a stranger gets it: built, installed into an empty virtual environment, used outside the clone (console:P9).

The other distribution with a package `macp_sdk` has an environment of its own here, and is installed before and after.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from server_process import ROOT
from test_guide import PROGRAMS, hands_over_as_it_says, is_named

OTHER = "macp-sdk-python==0.22.0"
USE = """
import sys
from {package} import AuthConfig, MacpClient
from {package}.handoff import HandoffSession

client = MacpClient(sys.argv[1], secure=False, auth=AuthConfig.for_dev_agent("owner-a"))
session = HandoffSession(client)
session.start(intent="hand over", participants=["owner-b"], ttl_ms=60_000)
session.offer("h1", "owner-b", scope="oncall")
session.accept_handoff("h1", sender="owner-b")
session.commit()
print(session.projection.phase, sys.modules["handover_macp"].__file__)
"""
TYPED = """
from {package} import Ack, AuthConfig, MacpClient
from {package}.agent import Decision, HandoffWorker, WorkerOffer
from {package}.aio import AsyncDecisionSession, AsyncMacpClient
from {package}.handoff import HandoffProjection, HandoffSession

session = HandoffSession(MacpClient("127.0.0.1:1", auth=AuthConfig.for_dev_agent("a")))
projection: HandoffProjection = session.projection
phase: str = projection.phase
session.offer("h1", 2)
ack: Ack = session.accept_handoff("h1", timeout=1.0, message_id="m")
session.decline("h1", sendr="b")


async def vote(client: AsyncMacpClient) -> Ack:
    return await AsyncDecisionSession(client).vote("p", "APPROVE", sender="b")


async def decide(offer: WorkerOffer) -> Decision:
    return Decision(offer.waited == "context", f"{{offer.contexts[0].text()}}")


async def work(client: AsyncMacpClient) -> None:
    await HandoffWorker(client, decide).run()
"""
MISTAKES = [
    '10: error: Argument 2 to "offer" of "HandoffMessages" has incompatible type "int"; expected "str"  [arg-type]',
    '12: error: Unexpected keyword argument "sendr" for "decline" of "HandoffMessages"; did you mean "sender"?  [call-arg]',
]


def run(*command, cwd=None, **more):
    # Nothing of the clone may be found by chance.
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")} | more
    return subprocess.run(list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True)


def done(*command, cwd=None):
    process = run(*command, cwd=cwd)
    assert process.returncode == 0, f"{command}\n{process.stdout}{process.stderr}"
    return process.stdout


class Environment:
    """A virtual environment and an empty folder to work in."""

    def __init__(self, home: Path) -> None:
        done(sys.executable, "-m", "venv", home / "venv")
        self.python = home / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        self.folder = home / "empty"
        self.folder.mkdir()

    def pip(self, *arguments):
        return done(self.python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)

    def program(self, text, *arguments):
        return run(self.python, "-c", text, *arguments, cwd=self.folder)


def sources():
    folders = [ROOT / "python", ROOT / "python" / "src"]
    return {path for folder in folders for path in folder.iterdir()}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    before = sources()
    command = ["node", ROOT / "scripts" / "pack" / "python.mjs", folder]
    subprocess.run(command, check=True, env={**os.environ, "PYTHON": sys.executable})
    assert sources() == before, "the build left something in the sources"
    return folder


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    environment = Environment(tmp_path_factory.mktemp("ours"))
    environment.pip("install", next(built.glob("*.whl")))
    return environment


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    environment = Environment(tmp_path_factory.mktemp("both"))
    environment.pip("install", OTHER)
    return environment


def test_wheel_and_sdist_are_well_made(built):
    files = sorted(built.iterdir())
    assert [path.name.split("-")[0] for path in files] == ["handover_macp_sdk", "handover_macp_sdk"]
    assert {path.suffix for path in files} == {".whl", ".gz"}
    done(sys.executable, "-m", "twine", "check", "--strict", *files)


def test_nothing_but_the_package_is_shipped(installed):
    own = done(installed.python, "-m", "pip", "show", "--files", "handover-macp-sdk")
    files = [line.strip() for line in own.split("Files:\n")[1].splitlines() if "__pycache__" not in line]
    assert {path.split("/")[0].split("-")[0] for path in files} == {"handover_macp", "macp_sdk", "handover_macp_sdk"}
    assert not [path for path in files if any(part.startswith("test") for part in path.split("/"))]
    assert {"handover_macp/_descriptors.binpb", "handover_macp/py.typed", "macp_sdk/py.typed"} <= set(files)
    assert any(path.endswith("licenses/LICENSE") for path in files)


def test_the_sdist_installs_as_well(built, tmp_path):
    environment = Environment(tmp_path)
    environment.pip("install", "--no-deps", next(built.glob("*.tar.gz")))
    assert "handover-macp-sdk" in done(environment.python, "-m", "pip", "list")


@pytest.mark.parametrize("package", ["handover_macp", "macp_sdk"])
def test_a_handoff_outside_the_clone(installed, server, package):
    process = installed.program(USE.format(package=package), server.address)
    assert process.returncode == 0, process.stderr
    phase, path = process.stdout.split()
    assert phase == "Committed"
    assert Path(path).is_relative_to(installed.folder.parent)


def test_the_guide_outside_the_clone(installed, built, own_server):
    # Signatures of receipts need what this extra brings; the guide says so.
    installed.pip("install", f"{next(built.glob('*.whl'))}[receipts]")
    hands_over_as_it_says(installed.folder, own_server.address, python=installed.python, path="")
    program = "\n".join(block for block in PROGRAMS if not is_named(block))
    process = run(installed.python, "-c", program, cwd=installed.folder, HANDOVER_ADDRESS=own_server.address)
    assert process.returncode == 0, process.stderr


@pytest.mark.parametrize("package", ["handover_macp", "macp_sdk"])
def test_types_are_known_under_both_names(installed, package):
    program = installed.folder / f"{package}_typed.py"
    program.write_text(TYPED.format(package=package))
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", installed.python, program.name]
    process = run(*command, cwd=installed.folder)
    lines = [line for line in process.stdout.splitlines() if ": error:" in line]
    assert lines == [f"{program.name}:{mistake}" for mistake in MISTAKES], process.stdout


def pyright(environment, *arguments):
    """What pyright says, as JSON; it is one of the packages that npm installs."""
    node = ["node", ROOT / "node_modules" / "pyright" / "index.js", "--outputjson", "--pythonpath", environment.python]
    # It looks for a package that it verifies on the path only.
    packages = done(environment.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    process = run(*node, *arguments, cwd=environment.folder, PYTHONPATH=packages)
    assert process.returncode in (0, 1), process.stderr
    return json.loads(process.stdout)


@pytest.mark.parametrize("package", ["handover_macp", "macp_sdk"])
def test_types_are_known_to_pyright_under_both_names(installed, package):
    program = installed.folder / f"{package}_typed.py"
    program.write_text(f"# pyright: strict{TYPED.format(package=package)}")
    found = pyright(installed, program)["generalDiagnostics"]
    lines = {(item["range"]["start"]["line"], item["rule"]) for item in found}
    assert lines == {(9, "reportArgumentType"), (11, "reportCallIssue")}, found


def test_pyright_knows_the_type_of_every_public_symbol(installed):
    report = pyright(installed, "--verifytypes", "handover_macp", "--ignoreexternal")["typeCompleteness"]
    counts = report["exportedSymbolCounts"]
    assert counts["withUnknownType"] == 0 and counts["withKnownType"] > 1_000
    # What is left has no annotation where it is assigned, and pyright infers it as every checker does.
    assert counts["withAmbiguousType"] < counts["withKnownType"] / 10


def tells_of_both(environment):
    """What each name says where both distributions are installed."""
    ours = environment.program("import handover_macp; print(handover_macp.MacpClient.__module__)")
    assert ours.stdout.strip() == "handover_macp.client", ours.stderr
    return environment.program("import macp_sdk; print(macp_sdk.MacpClient.__module__)")


if sys.version_info >= (3, 11):  # The other distribution needs it: on 3.10 nobody has both.

    def test_the_other_distribution_first_then_ours(shared, built):
        shared.pip("install", next(built.glob("*.whl")))
        theirs = tells_of_both(shared)
        assert theirs.returncode != 0
        assert "handover-macp-sdk and macp-sdk-python: uninstall one" in theirs.stderr

    def test_ours_first_then_the_other_distribution(shared, built):
        shared.pip("uninstall", "--yes", "macp-sdk-python", "handover-macp-sdk")
        shared.pip("install", next(built.glob("*.whl")))
        shared.pip("install", OTHER)
        theirs = tells_of_both(shared)
        assert theirs.stdout.strip() == "macp_sdk.client", theirs.stderr
