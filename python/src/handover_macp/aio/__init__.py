"""The asyncio versions of client, sessions and streams. Everything else is the same as in `handover_macp`."""

from .client import AsyncMacpClient
from .decision import AsyncDecisionSession
from .handoff import AsyncHandoffSession
from .inbox import open_offers
from .multi_round import AsyncMultiRoundSession
from .proposal import AsyncProposalSession
from .quorum import AsyncQuorumSession
from .session import AsyncSession
from .stream import AsyncMacpStream, AsyncWatcher
from .task import AsyncTaskSession

__all__ = [
    "AsyncMacpClient",
    "AsyncSession",
    "AsyncDecisionSession",
    "AsyncHandoffSession",
    "AsyncMultiRoundSession",
    "AsyncProposalSession",
    "AsyncQuorumSession",
    "AsyncTaskSession",
    "AsyncMacpStream",
    "AsyncWatcher",
    "open_offers",
]
