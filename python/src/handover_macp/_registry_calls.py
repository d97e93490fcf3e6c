"""Calls of the synchronous client about discovery and registries."""

from __future__ import annotations

from typing import TypeVar

from . import models
from ._client_core import ClientCore
from ._effects import Operation
from .auth import AuthConfig

T = TypeVar("T")


class RegistryCalls:
    """What a client can ask about agents, modes, roots and policies."""

    _core: ClientCore

    def _run(self, operation: Operation[T]) -> T:
        raise NotImplementedError

    def get_manifest(
        self, agent_id: str = "", *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> models.AgentManifest:
        """What an agent says of itself; the server's own manifest when none is named."""
        return self._run(self._core.get_manifest(agent_id, auth, timeout))

    def list_modes(
        self, *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> list[models.ModeDescriptor]:
        """The standard modes that the server serves."""
        return self._run(self._core.list_modes("ListModes", auth, timeout))

    def list_ext_modes(
        self, *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> list[models.ModeDescriptor]:
        """The registered extension modes."""
        return self._run(self._core.list_modes("ListExtModes", auth, timeout))

    def list_roots(self, *, auth: AuthConfig | None = None, timeout: float | None = None) -> list[models.Root]:
        """The roots that the server knows."""
        return self._run(self._core.list_roots(auth, timeout))

    def register_ext_mode(
        self, descriptor: models.ModeDescriptor, *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> models.RegistryResult:
        """Registers an extension mode; Commitment must be one of its terminal message types."""
        return self._run(self._core.register_ext_mode(descriptor, auth, timeout))

    def unregister_ext_mode(
        self, mode: str, *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> models.RegistryResult:
        """Removes an extension mode."""
        return self._run(self._core.unregister_ext_mode(mode, auth, timeout))

    def promote_mode(
        self, mode: str, new_name: str = "", *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> models.RegistryResult:
        """Makes an extension mode a standard one, under a new name if one is given."""
        return self._run(self._core.promote_mode(mode, new_name, auth, timeout))

    def register_policy(
        self, descriptor: models.PolicyDescriptor, *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> models.RegistryResult:
        """Registers a policy; see `build_handoff_policy`."""
        return self._run(self._core.register_policy(descriptor, auth, timeout))

    def unregister_policy(
        self, policy_id: str, *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> models.RegistryResult:
        """Removes a policy; sessions bound to it keep it."""
        return self._run(self._core.unregister_policy(policy_id, auth, timeout))

    def get_policy(
        self, policy_id: str, *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> models.PolicyDescriptor:
        """One policy by its id."""
        return self._run(self._core.get_policy(policy_id, auth, timeout))

    def list_policies(
        self, mode: str = "", *, auth: AuthConfig | None = None, timeout: float | None = None
    ) -> list[models.PolicyDescriptor]:
        """The policies for a mode (those for any mode included), or all."""
        return self._run(self._core.list_policies(mode, auth, timeout))
