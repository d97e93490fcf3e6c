"""Asks the decision that a program has given, a coroutine function or a plain one."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ...errors import MacpSdkError, MacpSessionError
from ..dispatcher import settled
from .records import Decide, Decision, DecisionError, WorkerOffer, read_decision


class Asking:
    """A plain function runs in a thread, of which there are `threads` at most: it may block, and the worker goes on."""

    def __init__(self, decide: Decide, threads: int) -> None:
        if not callable(decide):
            raise MacpSessionError("decide", "must be a function of an offer")
        self._decide = decide
        self._is_coroutine = inspect.iscoroutinefunction(decide) or inspect.iscoroutinefunction(
            getattr(decide, "__call__", None)
        )
        self._most = threads
        self.running = 0
        self.count = 0
        self._threads: ThreadPoolExecutor | None = None
        self._is_ending = False

    async def ask(self, offer: WorkerOffer) -> Decision | None:
        """What it answers; raises DecisionError for whatever goes wrong in it."""
        self.count += 1
        self.running += 1
        try:
            return read_decision(await self._called(offer))
        except asyncio.CancelledError:
            if self._is_ending or _is_cancelled():
                raise
            raise DecisionError(MacpSdkError("decide was cancelled, or waited for something that was")) from None
        except Exception as error:
            raise DecisionError(error) from error
        finally:
            self.running -= 1

    def end(self) -> None:
        """From now on a cancellation is meant for the worker, and ends its decisions."""
        self._is_ending = True

    async def _called(self, offer: WorkerOffer) -> Any:
        if self._is_coroutine:
            return await settled(self._decide(offer))
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._most, thread_name_prefix="macp-decide")
        call = functools.partial(contextvars.copy_context().run, self._decide, offer)
        # What a plain function returns may be awaitable, too: of a lambda around a coroutine.
        return await settled(await asyncio.get_running_loop().run_in_executor(self._threads, call))

    def close(self) -> None:
        """Begins no more; a plain function that still runs cannot be ended."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)


def _is_cancelled() -> bool:
    """Whether somebody ends the task itself; before Python 3.11 a task does not tell."""
    cancelling = getattr(asyncio.current_task(), "cancelling", None)
    return cancelling is not None and cancelling() > 0
