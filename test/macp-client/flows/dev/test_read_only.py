"""A server whose policies come from files."""

from __future__ import annotations

import os

import pytest
from macp_sdk import MacpAckError, MacpClient
from macp_sdk.policy import build_quorum_policy

from conftest import auth


def test_nobody_changes_policies_of_files() -> None:
    target = os.environ["MACP_READ_ONLY_TARGET"]
    with MacpClient(target=target, allow_insecure=True, auth=auth("admin")) as admin:
        assert not admin.initialize().capabilities.policy_registry.register_policy
        assert "policy.of.a.file" in [one.policy_id for one in admin.list_policies().descriptors]
        for action in (
            lambda: admin.register_policy(build_quorum_policy("policy.new", "x")),
            lambda: admin.unregister_policy("policy.of.a.file"),
        ):
            with pytest.raises(MacpAckError) as caught:
                action()
            assert caught.value.failure.code == "FAILED_PRECONDITION"
            assert caught.value.macp_code == "REGISTRY_READ_ONLY"
