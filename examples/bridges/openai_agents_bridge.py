"""A tool for the OpenAI Agents SDK: the agent that calls it hands its task to an agent elsewhere, and gets the answer.

The SDK's own handoffs stay inside one process. Behind this tool is a MACP session: the target may be another program,
in another language, or a person, and the server keeps who handed over what and who took it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from agents import FunctionTool, function_tool
from agents.tool_context import ToolContext
from handover_macp import MacpTimeoutError
from handover_macp.aio import AsyncHandoffSession, AsyncMacpClient


def handover_tool(
    client: AsyncMacpClient, target: str, about: str, *, conversation: str, patience: float = 600.0
) -> FunctionTool:
    """Hands over to `target`; `about` tells the model what the target is good for.

    `conversation` names the run and is the same when it is resumed: a call that is made again then repeats its messages
    and adds none. `patience` is how long to wait for the answer, in seconds.
    """

    @function_tool(
        name_override=f"hand_over_to_{target}",
        description_override=f"Hands the task over to {target}, who {about}. Tells whether {target} took it, and why.",
    )
    async def hand_over(call: ToolContext[Any], task: str, brief: str) -> str:
        """Hands the task over.

        Args:
            task: The task in a few words.
            brief: All that is needed to go on with it.
        """
        session = AsyncHandoffSession(client, session_id_of(conversation, call.tool_call_id))
        try:
            answer = await session.hand_over(target, {"task": task, "brief": brief}, scope=task, timeout=patience)
        except MacpTimeoutError:
            # The model goes on without the target: nobody may take the task after that.
            await session.cancel("the agent waits no longer")
            return json.dumps({"answer": "none", "advice": f"{target} did not answer in time; the offer is withdrawn"})
        return json.dumps({"answer": answer.disposition, "by": target, "reason": answer.outcome_reason})

    return hand_over


def session_id_of(conversation: str, call_id: str) -> str:
    """The same for the same call of a tool, however often it is made."""
    return hashlib.sha256(f"{conversation}\n{call_id}".encode()).hexdigest()
