"""What an agent's handlers receive."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from logging import Logger
from typing import TYPE_CHECKING, Any, Union

from ..models import Envelope
from ..session.records import CommitmentRecord

if TYPE_CHECKING:
    from .participant import Participant


@dataclass(frozen=True)
class IncomingMessage:
    """A message of the session, as it was accepted."""

    message_type: str
    """Which message of the mode, such as `HandoffOffer`."""
    sender: str
    """Who said it."""
    payload: Mapping[str, Any] | None
    """Its fields where the type is known; the bytes are in `raw`."""
    raw: Envelope
    """The envelope that was accepted."""
    sequence: int
    """Its place in the session's history, counted from 1."""


@dataclass(frozen=True)
class HandlerContext:
    """What a handler may use; `session` sends messages in the agent's name, and has the policy it is bound to."""

    participant: Participant
    """The agent itself."""
    projection: Any
    """What is known of the session by now."""
    session: Any
    log: Logger
    """The logger of the SDK."""


@dataclass(frozen=True)
class PhaseChange:
    """From one phase to another; in Handoff Mode they are those of `detailed_phase`."""

    phase: str
    """The phase that it is in now."""
    previous: str
    """The one before."""


@dataclass(frozen=True)
class TerminalResult:
    """How a session ended: RESOLVED, CANCELLED or EXPIRED; `commitment` only when resolved."""

    state: str
    """RESOLVED, CANCELLED or EXPIRED."""
    commitment: CommitmentRecord | None = None


MessageHandler = Callable[[IncomingMessage, HandlerContext], Union[Awaitable[Any], None]]
PhaseHandler = Callable[[PhaseChange, HandlerContext], Union[Awaitable[Any], None]]
TerminalHandler = Callable[[TerminalResult, HandlerContext], Union[Awaitable[Any], None]]
