"""Every unary call of the client, as operations. Both clients run these."""

from __future__ import annotations

from ._proof_requests import ProofRequests
from ._registry_requests import RegistryRequests


class ClientCore(ProofRequests, RegistryRequests):
    """All requests in one place; does no I/O."""
