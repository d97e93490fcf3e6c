"""Agents in asyncio: programs that act in one session, and a worker that answers every offer to an agent."""

from .bootstrap import from_bootstrap
from .context_wait import ContextWait
from .escalate import escalate
from .handlers import HandlerContext, IncomingMessage, PhaseChange, TerminalResult
from .participant import InitiatorPlan, Participant, Strategy
from .strategies import OfferedHandoff, accept_when, decline_when_busy
from .worker import (
    AnsweredOffer,
    Decision,
    HandoffWorker,
    MemoryJournal,
    WorkerFailure,
    WorkerJournal,
    WorkerOffer,
    WorkerStats,
    file_journal,
)

__all__ = [
    "AnsweredOffer",
    "ContextWait",
    "Decision",
    "HandlerContext",
    "HandoffWorker",
    "IncomingMessage",
    "InitiatorPlan",
    "MemoryJournal",
    "OfferedHandoff",
    "Participant",
    "PhaseChange",
    "Strategy",
    "TerminalResult",
    "WorkerFailure",
    "WorkerJournal",
    "WorkerOffer",
    "WorkerStats",
    "accept_when",
    "decline_when_busy",
    "escalate",
    "file_journal",
    "from_bootstrap",
]
