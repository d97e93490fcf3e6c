"""A worker as a process of its own, which a test kills: `worker_process.py ADDRESS AGENT JOURNAL LOG`.

Each call of the decision and each answer is a line in LOG, written before anything else happens.
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

ADDRESS, AGENT, JOURNAL, LOG = sys.argv[1:]


async def main():
    log = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(event, offer, **more):
        fields = {"event": event, "sessionId": offer.session_id, "attempt": offer.attempt, **more}
        os.write(log, f"{json.dumps(fields)}\n".encode())

    async def decide(offer):
        write("decide", offer, contexts=len(offer.contexts))
        await asyncio.sleep(random.uniform(0, 0.06))
        return random.random() < 0.5

    async with AsyncMacpClient(ADDRESS, auth=AuthConfig.for_dev_agent(AGENT)) as client:
        worker = HandoffWorker(
            client,
            decide,
            concurrency=8,
            context=ContextWait(first_ms=2_000, quiet_ms=20),
            journal=file_journal(JOURNAL),
            on_answered=lambda answer: write("answered", answer.offer, unseen=answer.unseen),
        )
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        print("ready", flush=True)
        await worker.run()


asyncio.run(main())
