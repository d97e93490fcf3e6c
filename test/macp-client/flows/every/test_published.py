"""That the client, and the protocol package it brings, are the published ones, and nothing of this repository."""

from __future__ import annotations

import base64
import hashlib
import sys
from importlib.metadata import distribution
from pathlib import Path

import macp.v1
import macp_sdk
import pytest


@pytest.mark.parametrize(
    ("name", "version", "module"),
    [("macp-sdk-python", "0.22.0", macp_sdk), ("macp-proto", "0.1.13", macp.v1)],
)
def test_unmodified(name: str, version: str, module) -> None:
    package = distribution(name)
    assert package.version == version
    assert Path(module.__path__[0]).is_relative_to(sys.prefix)
    files = [one for one in package.files or [] if one.hash]
    assert len(files) > 15
    for file in files:
        assert file.hash.mode == "sha256"
        digest = hashlib.sha256(file.locate().read_bytes()).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == file.hash.value, file
