"""Calls about discovery and registries, as operations."""

from __future__ import annotations

from typing import Any

from . import models
from ._convert import from_model, to_model
from ._effects import Operation
from ._message_requests import MessageRequests
from .auth import AuthConfig
from .errors import MacpSessionError
from .validation import validate_id, validate_kind


class RegistryRequests(MessageRequests):
    """Manifests, modes, roots and policies."""

    def get_manifest(
        self, agent_id: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.AgentManifest]:
        response = yield from self._ask("GetManifest", auth, timeout, agent_id=agent_id)
        return to_model(models.AgentManifest, response.manifest)

    def list_modes(
        self, method: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[list[models.ModeDescriptor]]:
        response = yield from self._ask(method, auth, timeout)
        return [to_model(models.ModeDescriptor, mode) for mode in response.modes]

    def list_roots(self, auth: AuthConfig | None, timeout: float | None) -> Operation[list[models.Root]]:
        response = yield from self._ask("ListRoots", auth, timeout)
        return [to_model(models.Root, root) for root in response.roots]

    def register_ext_mode(
        self, descriptor: models.ModeDescriptor, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.RegistryResult]:
        validate_id("mode", descriptor.mode)
        if "Commitment" not in descriptor.terminal_message_types:
            raise MacpSessionError("terminal_message_types", "must contain Commitment")
        message = from_model("ModeDescriptor", descriptor)
        return self._change("RegisterExtMode", auth, timeout, mode_descriptor=message)

    def unregister_ext_mode(
        self, mode: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.RegistryResult]:
        return self._change("UnregisterExtMode", auth, timeout, mode=validate_id("mode", mode))

    def promote_mode(
        self, mode: str, new_name: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.RegistryResult]:
        validate_id("mode", mode)
        return self._change("PromoteMode", auth, timeout, mode=mode, promoted_mode_name=new_name)

    def register_policy(
        self, descriptor: models.PolicyDescriptor, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.RegistryResult]:
        validate_kind("descriptor", descriptor, models.PolicyDescriptor)
        validate_id("policy_id", descriptor.policy_id)
        message = from_model("PolicyDescriptor", descriptor)
        return self._change("RegisterPolicy", auth, timeout, policy_descriptor=message)

    def unregister_policy(
        self, policy_id: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.RegistryResult]:
        return self._change("UnregisterPolicy", auth, timeout, policy_id=validate_id("policy_id", policy_id))

    def _change(
        self, method: str, auth: AuthConfig | None, timeout: float | None, **fields: Any
    ) -> Operation[models.RegistryResult]:
        response = yield from self._ask(method, auth, timeout, **fields)
        return to_model(models.RegistryResult, response)

    def get_policy(
        self, policy_id: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.PolicyDescriptor]:
        response = yield from self._ask("GetPolicy", auth, timeout, policy_id=validate_id("policy_id", policy_id))
        return to_model(models.PolicyDescriptor, response.policy_descriptor)

    def list_policies(
        self, mode: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[list[models.PolicyDescriptor]]:
        response = yield from self._ask("ListPolicies", auth, timeout, mode=mode)
        return [to_model(models.PolicyDescriptor, item) for item in response.descriptors]
