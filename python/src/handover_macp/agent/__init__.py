"""Agents: programs that follow one session and act in it. They run in asyncio; handlers may be plain functions."""

from .bootstrap import from_bootstrap
from .escalate import escalate
from .handlers import HandlerContext, IncomingMessage, PhaseChange, TerminalResult
from .participant import InitiatorPlan, Participant, Strategy
from .strategies import OfferedHandoff, accept_when, decline_when_busy

__all__ = [
    "HandlerContext",
    "IncomingMessage",
    "InitiatorPlan",
    "OfferedHandoff",
    "Participant",
    "PhaseChange",
    "Strategy",
    "TerminalResult",
    "accept_when",
    "decline_when_busy",
    "escalate",
    "from_bootstrap",
]
