"""Every unary call of the client, as operations. Both clients run these."""

from __future__ import annotations

from ._proof_requests import ProofRequests
from ._registry_requests import RegistryRequests
from ._waits import Waits
from .auth import AuthConfig


class ClientCore(ProofRequests, RegistryRequests):
    """All requests in one place; does no I/O."""

    def __init__(self, auth: AuthConfig | None, timeout: float | None, name: str, version: str) -> None:
        super().__init__(auth, timeout, name, version)
        self.waits = Waits()
