"""The synchronous session of Proposal Mode."""

from __future__ import annotations

from ..models import Ack
from ..session.session import Session
from .messages import ProposalMessages
from .projection import ProposalProjection


class ProposalSession(ProposalMessages[Ack], Session[ProposalProjection]):
    """A Proposal session: peers propose and counter-propose until they agree, or one of them rejects for good."""

    _projection_type = ProposalProjection
