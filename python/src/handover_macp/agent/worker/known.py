"""What a worker keeps of an open session: a few numbers, and no payload."""

from __future__ import annotations

from dataclasses import dataclass

from ...envelopes import parse_payload
from ...errors import MacpSdkError
from ...models import Envelope


@dataclass
class Known:
    """An open session, and the offer to the agent that is in it."""

    session_id: str
    expires_at_unix_ms: int = 0
    policy_version: str = ""
    sequence: int = 0
    handoff_id: str = ""
    contexts: int = 0
    left_at: int | None = None
    """How many contexts a decision had seen that gave no answer: more of them bring the offer up again."""
    found_at: float = 0.0
    failures: int = 0
    settled: bool = False

    @property
    def has_news(self) -> bool:
        """Whether there is an offer to decide on."""
        return bool(self.handoff_id) and (self.left_at is None or self.contexts > self.left_at)

    def take(self, envelope: Envelope, agent: str) -> None:
        """Notes what an envelope says of offers to the agent."""
        kind = envelope.message_type
        if kind in ("Commitment", "SessionCancel"):
            self.settled = True
        if not kind.startswith("Handoff"):
            return
        try:
            payload = parse_payload(envelope)
        except MacpSdkError:
            return  # What cannot be read changes nothing.
        if payload is None:
            return
        if kind == "HandoffOffer":
            mine = payload.target_participant == agent
            self.handoff_id, self.contexts, self.left_at = payload.handoff_id if mine else "", 0, None
        elif kind == "HandoffContext" and payload.handoff_id == self.handoff_id:
            self.contexts += 1
        elif kind == "HandoffAccept" or (kind == "HandoffDecline" and payload.handoff_id == self.handoff_id):
            self.settled = True
