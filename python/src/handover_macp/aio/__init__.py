"""The asyncio versions of client, session and streams. Everything else is the same as in `handover_macp`."""

from .client import AsyncMacpClient
from .handoff import AsyncHandoffSession
from .stream import AsyncMacpStream, AsyncWatcher

__all__ = ["AsyncMacpClient", "AsyncHandoffSession", "AsyncMacpStream", "AsyncWatcher"]
