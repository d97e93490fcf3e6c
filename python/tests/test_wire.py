"""The committed descriptor set is the published one, and nothing of it leaks into protobuf's default pool."""

from pathlib import Path

import handover_macp
import pytest
from google.protobuf import descriptor_pool
from handover_macp._wire import METHODS
from server_process import ROOT


def test_descriptor_set_is_the_published_one():
    committed = Path(handover_macp.__file__).with_name("_descriptors.binpb").read_bytes()
    assert committed == (ROOT / "schemas" / "macp.binpb").read_bytes(), "run npm run generate"


def test_every_rpc_is_there():
    assert len(METHODS) == 27
    assert METHODS["Send"].path == "/macp.v1.MACPRuntimeService/Send"
    assert METHODS["StreamSession"].client_streaming and METHODS["StreamSession"].server_streaming
    assert not METHODS["WatchSignals"].client_streaming and METHODS["WatchSignals"].server_streaming


def test_the_pool_is_private():
    with pytest.raises(KeyError):
        descriptor_pool.Default().FindMessageTypeByName("macp.v1.Envelope")
