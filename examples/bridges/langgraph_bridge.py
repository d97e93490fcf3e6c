"""A node for LangGraph that hands over to an agent elsewhere and waits for the answer, for a day if need be.

While nobody answers, the graph is interrupted and its process may end. Whoever resumes it, in whatever process, comes
back to the same session: its id follows from the thread and the task, and every message has an id that follows from it.
So the node says again what it said, and the server takes none of it twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from handover_macp import MacpClient, MacpTimeoutError
from handover_macp.handoff import HandoffSession
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

DAY_MS = 24 * 3_600_000


def hand_over_to(
    client: MacpClient, target: str, context: Callable[[Any], Any], *, scope: str = "", patience: float = 2.0
) -> Callable[[Any, Runtime], dict[str, Any]]:
    """A node that writes `answer` into the state. `context(state)` is what the target reads.

    `patience` is how many seconds the node itself waits, before it interrupts the graph.
    """

    def node(state: Any, runtime: Runtime) -> dict[str, Any]:
        session = HandoffSession(client, session_id_of(runtime))
        while True:
            try:
                offer = session.hand_over(target, context(state), scope=scope, ttl_ms=DAY_MS, timeout=patience)
                return {"answer": {"by": target, "disposition": offer.disposition, "reason": offer.outcome_reason}}
            except MacpTimeoutError:
                # Resumed too early: this returns, and after another look the next one interrupts again.
                interrupt({"session_id": session.session_id, "waits_for": target})

    return node


def session_id_of(runtime: Runtime) -> str:
    """The same each time the task is run, and another one when the graph comes to the node again."""
    execution = runtime.execution_info
    if execution is None or execution.thread_id is None:
        raise ValueError("compile the graph with a checkpointer, and invoke it with a thread_id")
    return hashlib.sha256(f"{execution.thread_id}\n{execution.task_id}".encode()).hexdigest()


def resume_when_answered(graph: CompiledStateGraph, config: RunnableConfig, client: MacpClient) -> Any:
    """Waits for the answer that an interrupted graph waits for, then goes on with it."""
    for waiting in (pause.value for pause in graph.get_state(config).interrupts):
        session = HandoffSession(client, waiting["session_id"])
        session.wait_for_answer(f"to:{waiting['waits_for']}")
    return graph.invoke(Command(resume=True), config)
