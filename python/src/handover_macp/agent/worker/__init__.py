"""A process that answers the offers to an agent."""

from .file_journal import file_journal
from .journal import MemoryJournal, WorkerJournal
from .records import AnsweredOffer, Decision, WorkerFailure, WorkerOffer, WorkerStats
from .worker import HandoffWorker

__all__ = [
    "AnsweredOffer",
    "Decision",
    "HandoffWorker",
    "MemoryJournal",
    "WorkerFailure",
    "WorkerJournal",
    "WorkerOffer",
    "WorkerStats",
    "file_journal",
]
