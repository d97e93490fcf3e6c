"""The target of one handoff: joins a session, reads the offer and its context, accepts, and waits for the Commitment.

Usage: target.py <address> <session_id> <handoff_id>

The agent's name is MACP_AGENT, by default `py-target`. Prints one line of JSON; ends non-zero when the handoff fails.
"""

from __future__ import annotations

import base64
import json
import os
import sys

from handover_macp import AuthConfig, MacpClient
from handover_macp.handoff import HandoffSession

PATIENCE_SECONDS = 30.0


def main(address: str, session_id: str, handoff_id: str) -> int:
    """Plays the target to the end."""
    agent = os.environ.get("MACP_AGENT", "py-target")
    with MacpClient(address, secure=False, auth=AuthConfig.for_dev_agent(agent)) as client:
        session = HandoffSession(client, session_id)
        projection = session.handoff_projection
        with session.open_stream() as stream:
            while not projection.contexts.get(handoff_id):
                stream.read(PATIENCE_SECONDS)
            session.accept_handoff(handoff_id)
            while not projection.is_committed and projection.session_state == "OPEN":
                stream.read(PATIENCE_SECONDS)

    context = projection.contexts[handoff_id][0]
    commitment = projection.commitment
    report = {
        "language": "python",
        "agent": agent,
        "phase": projection.phase,
        "content_type": context.content_type,
        "context_b64": base64.b64encode(context.context).decode(),
        "action": commitment.action if commitment else None,
        "outcome_positive": projection.is_positive_outcome,
    }
    print(json.dumps(report), flush=True)
    return 0 if projection.is_positive_outcome else 1


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
