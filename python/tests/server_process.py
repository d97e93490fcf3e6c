"""The real server as a child process."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_BINARY = ROOT / "packages" / "server" / "bin" / "handover.js"
_LIMITS = {
    "MACP_SESSION_START_LIMIT_PER_MINUTE": "1000000",
    "MACP_MESSAGE_LIMIT_PER_MINUTE": "1000000",
    "HANDOVER_LOG_LEVEL": "error",
}


class ServerProcess:
    """Starts `handover serve` and waits for its ready line."""

    def __init__(self, *arguments: str, bind: str = "127.0.0.1:0", env: dict[str, str] | None = None) -> None:
        self._arguments = arguments
        self._env = env or {}
        self._process = self._start(bind)

    def _start(self, bind: str) -> subprocess.Popen[str]:
        command = ["node", str(_BINARY), "serve", "--bind", bind, "--http-port", "0", *self._arguments]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **_LIMITS, **self._env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        errors: list[str] = []
        threading.Thread(target=lambda: errors.extend(process.stderr or ()), daemon=True).start()
        line = process.stdout.readline() if process.stdout else ""
        if not line.startswith("handover ready"):
            process.kill()
            process.wait()
            time.sleep(0.2)
            raise RuntimeError(f"the server did not start: {line}{''.join(errors)[-2000:]}")
        self.ready_line = line
        self.address = line.split("grpc=")[1].split()[0]
        return process

    def restart(self) -> None:
        """Stops and starts again on the same port."""
        self.stop()
        self._process = self._start(self.address)

    def kill(self) -> None:
        """Ends the process without warning."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def revive(self) -> None:
        """Starts again on the same port after `kill`."""
        self._process = self._start(self.address)

    def stop(self) -> None:
        """Asks the process to end and waits for it."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def dev_server(*arguments: str, bind: str = "127.0.0.1:0") -> ServerProcess:
    """A server in dev mode that keeps nothing."""
    return ServerProcess("--dev", "--memory-only", *arguments, bind=bind)
