"""The synchronous session of Decision Mode."""

from __future__ import annotations

from ..models import Ack
from ..session.session import Session
from .messages import DecisionMessages
from .projection import DecisionProjection


class DecisionSession(DecisionMessages[Ack], Session[DecisionProjection]):
    """A Decision session: options are proposed, evaluated, objected to and voted on; a Commitment binds the choice."""

    _projection_type = DecisionProjection
