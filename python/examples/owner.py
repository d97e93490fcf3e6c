"""The owner of one handoff: starts a session for a target, offers with context, waits for the answer, commits.

Usage: owner.py <address> <target> [handoff_id]

The agent's name is MACP_AGENT, by default `py-owner`. Prints one line of JSON with the session id as soon as there is
one, so that the target can join, and one at the end; ends non-zero when the handoff fails.
"""

from __future__ import annotations

import json
import os
import sys

from handover_macp import AuthConfig, MacpClient
from handover_macp.handoff import HandoffSession

PATIENCE_SECONDS = 30.0


def main(address: str, target: str, handoff_id: str = "h1") -> int:
    """Plays the owner to the end."""
    agent = os.environ.get("MACP_AGENT", "py-owner")
    with MacpClient(address, secure=False, auth=AuthConfig.for_dev_agent(agent)) as client:
        session = HandoffSession(client)
        projection = session.handoff_projection
        shift = b'{"shift":"night"}'
        session.start(intent=f"hand over to {target}", participants=[target], ttl_ms=60_000, context=shift)
        print(json.dumps({"session_id": session.session_id, "handoff_id": handoff_id}), flush=True)
        with session.open_stream() as stream:
            session.offer(handoff_id, target, scope="nightly-report", reason="end of shift")
            session.add_context(handoff_id, content_type="application/json", context=b'{"report":"nightly","rows":3}')
            while projection.active_offer() is not None:
                stream.read(PATIENCE_SECONDS)
            session.commit()

    offer = projection.offers[handoff_id]
    report = {
        "language": "python",
        "agent": agent,
        "phase": projection.phase,
        "disposition": offer.disposition,
        "answered_by": offer.accepted_by or offer.declined_by,
        "reason": projection.commitment.reason if projection.commitment else None,
        "outcome_positive": projection.is_positive_outcome,
    }
    print(json.dumps(report), flush=True)
    return 0 if projection.is_positive_outcome else 1


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
