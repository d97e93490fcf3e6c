"""The synchronous session of Quorum Mode."""

from __future__ import annotations

from ..models import Ack
from ..session.session import Session
from .messages import QuorumMessages
from .projection import QuorumProjection


class QuorumSession(QuorumMessages[Ack], Session[QuorumProjection]):
    """A Quorum session: an action needs a number of approvals; each participant casts one ballot."""

    _projection_type = QuorumProjection
