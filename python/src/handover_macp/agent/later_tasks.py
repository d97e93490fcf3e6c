"""What a strategy does later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class LaterTasks:
    """Tasks that begin after a time; the first that fails says so by an event."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()
        self.failed = asyncio.Event()
        self._failure: Exception | None = None

    def after(self, seconds: float, act: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        """Does something later; to cancel the task takes it back."""
        task = asyncio.create_task(self._act(seconds, act))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def raise_failure(self) -> None:
        """Raises what the first one that failed has raised."""
        if self._failure is not None:
            raise self._failure

    async def _act(self, seconds: float, act: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(seconds)
        try:
            await act()
        except Exception as error:
            self._failure = self._failure or error
            self.failed.set()
