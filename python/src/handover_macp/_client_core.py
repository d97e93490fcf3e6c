"""Every unary call of the client, as operations. Both clients run these."""

from __future__ import annotations

from ._registry_requests import RegistryRequests
from ._session_requests import SessionRequests


class ClientCore(SessionRequests, RegistryRequests):
    """All requests in one place; does no I/O."""
