"""One process at a time writes a journal, of whichever SDK it is.

The system holds the lock and frees it with the process, however that ends. The file beside the journal stays, and names its
holder while there is one: the TypeScript SDK has no locks of the system, goes by that name, and takes the file away.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from typing import Any

from ...errors import MacpSdkError

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, 1 << 20, os.SEEK_SET)  # Behind the text, which others may read.
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_TRIES = 100


class JournalLock:
    """The lock of the journal at a path."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: int | None = None

    def take(self) -> None:
        """Raises when somebody else has it."""
        for _ in range(_TRIES):
            try:
                file = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            except OSError as error:
                raise MacpSdkError(f"the journal {self._path} cannot be opened: {error}") from error
            try:
                self._claim(file)
                # A worker of the other SDK that has just ended has taken the file away: another process would lock another one.
                if self._is_there(file):
                    self._file = file
                    return
            finally:
                if self._file is None:
                    os.close(file)
        raise self._in_use(None)

    def give_back(self) -> None:
        """Frees it, if it is held."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, 0)
            with contextlib.suppress(OSError):
                os.close(self._file)
            self._file = None

    def _claim(self, file: int) -> None:
        try:
            _lock(file)
        except OSError:
            raise self._in_use(_holder(file)) from None
        holder = _holder(file)
        if holder is not None and _lives(holder):
            raise self._in_use(holder)
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        pid = os.getpid()
        me = {"pid": pid, "host": socket.gethostname(), "began": _began(pid)}
        os.write(file, json.dumps(me, separators=(",", ":")).encode())

    def _is_there(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), os.stat(f"{self._path}.lock"))
        except FileNotFoundError:
            return False

    def _in_use(self, holder: dict[str, Any] | None) -> MacpSdkError:
        pid = "unknown" if holder is None else holder["pid"]
        return MacpSdkError(
            f"the journal {self._path} is in use by process {pid}: one worker at a time; give this one a journal of its own"
        )


def _holder(file: int) -> dict[str, Any] | None:
    """None where nobody has written his name to its end."""
    os.lseek(file, 0, os.SEEK_SET)
    try:
        said = json.loads(os.read(file, 1_000))
    except ValueError:
        return None
    return said if isinstance(said, dict) and type(said.get("pid")) is int and said["pid"] > 0 else None


def _lives(holder: dict[str, Any]) -> bool:
    """Whether a process holds it that has no lock of the system: one of the other SDK."""
    pid = holder["pid"]
    # This process has the lock now. On Windows nobody can be asked whether he lives.
    if holder.get("host") != socket.gethostname() or pid == os.getpid() or sys.platform == "win32":
        return False
    try:
        os.kill(pid, 0)
    except PermissionError:
        pass  # A process of another user is alive, too.
    except (OSError, OverflowError):
        return False
    return bool(holder.get("began") == _began(pid))


def _began(pid: int) -> str:
    """When the process began, as the system counts it: a number that was given to another one since is told apart."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            # The command's name is in brackets and may have spaces; the 20th field after it is the start.
            return stat.read().split(") ")[-1].split(" ")[19]
    except (OSError, IndexError):
        return ""
