"""The synchronous session of the multi-round mode."""

from __future__ import annotations

from ..models import Ack
from ..session.session import Session
from .messages import MultiRoundMessages
from .projection import MultiRoundProjection


class MultiRoundSession(MultiRoundMessages[Ack], Session[MultiRoundProjection]):
    """A multi-round session: participants contribute values until all hold the same; the initiator commits it."""

    _projection_type = MultiRoundProjection
