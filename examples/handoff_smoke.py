"""A whole handoff in one program: Alice hands the frontend to Bob, with what he needs to know.

Connects to HANDOVER_ADDRESS, by default 127.0.0.1:50051, as agents of a server in dev mode.
"""

from __future__ import annotations

import os

from handover_macp import AuthConfig, MacpClient
from handover_macp.handoff import HandoffSession

ADDRESS = os.environ.get("HANDOVER_ADDRESS", "127.0.0.1:50051")


def main() -> None:
    """Runs it and checks what it shows."""
    with MacpClient(ADDRESS, secure=False, auth=AuthConfig.for_dev_agent("alice")) as client:
        session = HandoffSession(client)
        session.start(intent="hand over the frontend", participants=["bob"], ttl_ms=60_000)
        session.offer("h1", "bob", scope="frontend-ownership", reason="moving to backend team")
        session.add_context("h1", content_type="application/json", context=b'{"repository": "acme/web-app"}')

        # Bob speaks for himself: in dev mode his credential is his name.
        session.accept_handoff("h1", sender="bob")
        session.commit()

        projection = session.handoff_projection
        check(projection.is_accepted("h1"), "bob accepted")
        check(projection.phase == "Committed", "the session is committed")
        check(session.metadata().state == "RESOLVED", "the server says so too")
        print(f"session {session.session_id}: {projection.commitment.reason if projection.commitment else ''}")


def check(condition: bool, promise: str) -> None:
    """Like assert, but never switched off."""
    if not condition:
        raise SystemExit(f"not as promised: {promise}")


if __name__ == "__main__":
    main()
