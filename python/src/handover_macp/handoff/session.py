"""The synchronous session of Handoff Mode."""

from __future__ import annotations

from ..models import Ack
from ..session.session import Session
from .messages import HandoffMessages
from .projection import HandoffProjection


class HandoffSession(HandoffMessages[Ack], Session[HandoffProjection]):
    """A handoff session: the owner offers, the target accepts or declines, the owner commits."""

    _projection_type = HandoffProjection
