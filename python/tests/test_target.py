"""An insecure channel needs an explicit word, except to this machine."""

import pytest
from handover_macp import MacpClient, MacpSdkError, MacpSessionError
from handover_macp._target import is_loopback, resolve_target

LOCAL = [
    "127.0.0.1:50051",
    "127.8.9.1:1",
    "localhost:50051",
    "[::1]:50051",
    "ipv4:127.0.0.1:50051",
    "ipv6:[::1]:50051",
    "dns:///localhost:50051",
    "unix:/tmp/handover.sock",
]
REMOTE = [
    "example.org:443",
    "127.0.0.1.example.org:443",
    "localhost.example.org:443",
    "10.0.0.1:1",
    "0.0.0.0:1",
    "[::]:1",
    "ipv4:127.0.0.1:1,10.0.0.1:1",
    "dns://192.0.2.1/localhost:1",
]


@pytest.mark.parametrize("address", LOCAL)
def test_this_machine(address):
    assert is_loopback(address)
    assert resolve_target(address, False, False, None, None, None).credentials is None


@pytest.mark.parametrize("address", REMOTE)
def test_elsewhere(address):
    assert not is_loopback(address)
    with pytest.raises(MacpSdkError, match="allow_insecure"):
        MacpClient(address, secure=False)


def test_the_explicit_word():
    assert resolve_target("example.org:1", False, True, None, None, None).credentials is None
    assert resolve_target("example.org:1", None, True, None, None, None).credentials is None


def test_tls_is_the_default():
    assert resolve_target("example.org:1", None, False, None, None, None).credentials is not None
    assert resolve_target("127.0.0.1:1", None, False, None, None, None).credentials is not None
    assert resolve_target("example.org:1", True, True, None, None, None).credentials is not None


def test_a_proxy_of_the_environment_is_not_used_for_this_machine():
    assert ("grpc.enable_http_proxy", 0) in resolve_target("127.0.0.1:1", False, False, None, None, None).options
    assert ("grpc.enable_http_proxy", 0) not in resolve_target("a.example:1", True, False, None, None, None).options


def test_a_blank_target():
    with pytest.raises(MacpSessionError, match="target"):
        MacpClient(" ", secure=False)
