"""The asyncio session of Proposal Mode; projection and records are the same as in `handover_macp.proposal`."""

from __future__ import annotations

from ..proposal.messages import ProposalMessages
from ..proposal.projection import ProposalProjection
from .session import AsyncAck, AsyncSession


class AsyncProposalSession(ProposalMessages[AsyncAck], AsyncSession[ProposalProjection]):
    """A Proposal session: peers propose and counter-propose until they agree, or one of them rejects for good."""

    _projection_type = ProposalProjection
