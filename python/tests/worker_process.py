"""A worker as a process of its own, which a test kills: `worker_process.py ADDRESS AGENT FOLDER`.

Each call of the decision and each answer is a line in FOLDER/calls, written before anything else happens.
"""

import asyncio
import json
import os
import random
import signal
import sys

from handover_macp import AuthConfig
from handover_macp.agent import ContextWait, HandoffWorker, file_journal
from handover_macp.aio import AsyncMacpClient

ADDRESS, AGENT, FOLDER = sys.argv[1:]


async def main():
    calls = os.open(os.path.join(FOLDER, "calls"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def note(kind, offer):
        fields = {"kind": kind, "session": offer.session_id, "attempt": offer.attempt, "contexts": len(offer.contexts)}
        os.write(calls, f"{json.dumps(fields)}\n".encode())

    async def decide(offer):
        note("call", offer)
        await asyncio.sleep(random.uniform(0, 0.03))
        return random.random() < 0.8

    async with AsyncMacpClient(ADDRESS, auth=AuthConfig.for_dev_agent(AGENT)) as client:
        worker = HandoffWorker(
            client,
            decide,
            concurrency=8,
            context=ContextWait(first_ms=100, quiet_ms=20),
            journal=file_journal(os.path.join(FOLDER, "journal")),
            on_answered=lambda answer: note("answered", answer.offer),
        )
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        print("ready", flush=True)
        await worker.run()


asyncio.run(main())
