"""The journal as a file of lines: what was begun, what is over.

J1. A line is in the file before the decision begins; a process that is killed then has begun it.
J2. A last line that was torn by a kill is left out. Any other line that is none means that the file is something else:
    it is refused and stays as it is.
J3. The file is written anew, with what is open alone, at the start and whenever most of it is over. A kill in between
    leaves the old file or the new one.
J4. One process at a time; only its user can read it.
J5. A line that finds no room is no attempt. Half of one is not followed by another: the file is written anew first.

The lines are those of the TypeScript SDK, so a worker may be written anew in the other language.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from ...errors import MacpSdkError
from ...validation import validate_text
from .journal import MemoryJournal, WorkerJournal
from .journal_lock import JournalLock

_HEADER = '{"journal":"macp-worker/1"}'
_DEAD_LINES = 1_000
"""The file is written anew when it has this many lines more than twice what is open."""


def file_journal(path: str | os.PathLike[str]) -> WorkerJournal:
    """A journal in a file, so that attempts are counted over restarts; for one worker at a time."""
    return FileJournal(validate_text("path", os.fspath(path)))


class FileJournal:
    """Appends a line for each attempt and each end."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._lock = JournalLock(path)
        self._open = MemoryJournal()
        self._file: int | None = None
        self._lines = 0
        self._is_torn = False

    def open(self) -> None:
        """Takes the file for this process and reads it."""
        self._lock.take()
        try:
            self._open = _read(self._path)
            self._rewrite()
        except BaseException:
            self.close()
            raise

    def attempts(self, session_id: str, handoff_id: str) -> int:
        """How often a decision on the offer was begun."""
        return self._open.attempts(session_id, handoff_id)

    def begin(self, session_id: str, handoff_id: str, attempt: int) -> None:
        """Writes the attempt down before the decision begins."""
        before = self._open.attempts(session_id, handoff_id)
        self._open.begin(session_id, handoff_id, attempt)
        try:
            self._append(session_id, handoff_id, attempt)
        except BaseException:
            if before > 0:
                self._open.begin(session_id, handoff_id, before)
            else:
                self._open.end(session_id, handoff_id)
            raise

    def end(self, session_id: str, handoff_id: str) -> None:
        """Writes down that the offer is over."""
        if self._open.attempts(session_id, handoff_id) > 0:
            self._open.end(session_id, handoff_id)
            try:
                self._append(session_id, handoff_id, 0)
            except (OSError, MacpSdkError):
                # Nothing depends on it: what is over is left out when the file is written anew. Whoever begins next hears of it.
                self._is_torn = True

    def keep_only(self, is_open: Callable[[str], bool]) -> None:
        """Drops the offers of sessions that are not open any more."""
        self._open.keep_only(is_open)
        self._rewrite()

    def close(self) -> None:
        """Gives the file back."""
        self._close_file()
        self._lock.give_back()

    def _append(self, session_id: str, handoff_id: str, attempt: int) -> None:
        if self._file is None:
            raise MacpSdkError(f"the journal {self._path} is not open")
        if self._is_torn:
            self._rewrite()
            return
        line = _line(session_id, handoff_id, attempt).encode()
        self._is_torn = True
        if os.write(self._file, line) < len(line):
            raise MacpSdkError(f"no room for the journal {self._path}: half a line was written")
        self._is_torn = False
        self._lines += 1
        if self._lines > 2 * len(self._open.entries()) + _DEAD_LINES:
            self._rewrite()

    def _rewrite(self) -> None:
        entries = self._open.entries()
        text = "".join([f"{_HEADER}\n", *(_line(*entry) for entry in entries)])
        following = Path(f"{self._path}.next")
        # Until it is done, so that the next line tries it again.
        self._is_torn = True
        following.unlink(missing_ok=True)
        with os.fdopen(os.open(following, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text.encode())
        if os.name == "nt":
            self._close_file()  # There nobody may have a file open that another one replaces.
        os.replace(following, self._path)
        opened = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        self._close_file()
        self._file = opened
        self._lines = len(entries)
        self._is_torn = False

    def _close_file(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _line(session_id: str, handoff_id: str, attempt: int) -> str:
    """An attempt, or that it is over (0)."""
    fields = {"sessionId": session_id, "handoffId": handoff_id, "attempt": attempt}
    return f"{json.dumps(fields, ensure_ascii=False, separators=(',', ':'))}\n"


def _read(path: Path) -> MemoryJournal:
    journal = MemoryJournal()
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return journal
    # Empty behind a line that was written to its end; else torn.
    torn = lines.pop()
    if not (lines[0] == _HEADER.encode() if lines else _HEADER.encode().startswith(torn)):
        raise _foreign(path)
    for line in lines[1:]:
        session_id, handoff_id, attempt = _entry(path, line)
        if attempt == 0:
            journal.end(session_id, handoff_id)
        else:
            journal.begin(session_id, handoff_id, attempt)
    return journal


def _entry(path: Path, line: bytes) -> tuple[str, str, int]:
    try:
        fields = json.loads(line)
        session_id, handoff_id, attempt = fields["sessionId"], fields["handoffId"], fields["attempt"]
    except (ValueError, KeyError, TypeError):
        raise _foreign(path) from None
    if not isinstance(session_id, str) or not isinstance(handoff_id, str) or type(attempt) is not int:
        raise _foreign(path)
    return session_id, handoff_id, attempt


def _foreign(path: Path) -> MacpSdkError:
    return MacpSdkError(f"{path} is not a journal of a worker, and was left as it is")
