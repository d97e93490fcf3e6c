"""One process at a time writes a journal.

The system holds the lock and frees it with the process, however that ends. The file beside the journal stays: it says
whose the lock is, and to take it away would let two processes lock two files of one name.
"""

from __future__ import annotations

import contextlib
import os
import sys

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


class JournalLock:
    """The lock of the journal at a path."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: int | None = None

    def take(self) -> None:
        """Raises when somebody else has it."""
        file = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(file)
        except OSError:
            holder = os.read(file, 32).decode(errors="replace").strip() or "unknown"
            os.close(file)
            raise MacpSdkError(
                f"the journal {self._path} is in use by process {holder}: "
                "one worker at a time; give this one a journal of its own"
            ) from None
        self._file = file
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, f"{os.getpid()}\n".encode())

    def give_back(self) -> None:
        """Frees it, if it is held."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.close(self._file)
            self._file = None
