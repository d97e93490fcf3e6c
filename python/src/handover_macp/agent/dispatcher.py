"""Which handlers are called for what, one after another, in the order in which they were added."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .handlers import HandlerContext, IncomingMessage, PhaseChange, TerminalResult

_ANY = "*"


class Dispatcher:
    """Tables of handlers; `*` stands for any type or phase and comes last."""

    def __init__(self) -> None:
        self.messages: dict[str, list[Callable[..., Any]]] = {}
        self.phases: dict[str, list[Callable[..., Any]]] = {}
        self.terminal: list[Callable[..., Any]] = []

    async def on_message(self, message: IncomingMessage, context: HandlerContext) -> None:
        """Calls those of the type, then those of any type."""
        for key in (message.message_type, _ANY):
            await _call_all(self.messages.get(key, []), message, context)

    async def on_phase(self, change: PhaseChange, context: HandlerContext) -> None:
        """Calls those of the phase that was entered, then those of any phase."""
        for key in (change.phase, _ANY):
            await _call_all(self.phases.get(key, []), change, context)

    async def on_terminal(self, result: TerminalResult, context: HandlerContext) -> None:
        """Calls those of the end."""
        await _call_all(self.terminal, result, context)


async def _call_all(handlers: list[Callable[..., Any]], event: Any, context: HandlerContext) -> None:
    for handler in handlers:
        await settled(handler(event, context))


async def settled(value: Any) -> Any:
    """What a handler or a predicate says, whether it is a plain function or a coroutine."""
    return await value if inspect.isawaitable(value) else value
