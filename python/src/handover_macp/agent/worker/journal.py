"""How often a decision was begun, for attempts that count over restarts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class WorkerJournal(Protocol):
    """Keeps the number of attempts of each open offer; `file_journal` makes one that outlives the process."""

    def open(self) -> None:
        """Called when a worker starts; raises when another one has the journal."""

    def attempts(self, session_id: str, handoff_id: str) -> int:
        """How often a decision on the offer was begun."""

    def begin(self, session_id: str, handoff_id: str, attempt: int) -> None:
        """Written before the decision begins."""

    def end(self, session_id: str, handoff_id: str) -> None:
        """The offer is over: it was answered, or its session has ended."""

    def keep_only(self, is_open: Callable[[str], bool]) -> None:
        """Ends all offers whose sessions are not open any more."""

    def close(self) -> None:
        """Called when the worker has stopped."""


class MemoryJournal:
    """Counts in this process only."""

    def __init__(self) -> None:
        self._attempts: dict[tuple[str, str], int] = {}

    def open(self) -> None:
        """Nothing to do."""

    def attempts(self, session_id: str, handoff_id: str) -> int:
        """How often a decision on the offer was begun."""
        return self._attempts.get((session_id, handoff_id), 0)

    def begin(self, session_id: str, handoff_id: str, attempt: int) -> None:
        """Counts an attempt."""
        self._attempts[session_id, handoff_id] = attempt

    def end(self, session_id: str, handoff_id: str) -> None:
        """Forgets the offer."""
        self._attempts.pop((session_id, handoff_id), None)

    def keep_only(self, is_open: Callable[[str], bool]) -> None:
        """Forgets the offers of sessions that are not open any more."""
        for session_id, handoff_id in list(self._attempts):
            if not is_open(session_id):
                self.end(session_id, handoff_id)

    def close(self) -> None:
        """Nothing to do."""

    def entries(self) -> list[tuple[str, str, int]]:
        """Session, handoff and attempts of what is open."""
        return [(*key, attempt) for key, attempt in self._attempts.items()]
