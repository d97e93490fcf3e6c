"""An insecure channel needs an explicit word, except to this machine."""

import pytest
from handover_macp import MacpClient, MacpSessionError
from handover_macp._address import is_loopback, validate_address
from handover_macp._target import resolve_target

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
    with pytest.raises(MacpSessionError, match="allow_insecure"):
        MacpClient(address, secure=False)


def test_the_explicit_word():
    assert resolve_target("example.org:1", False, True, None, None, None).credentials is None
    assert resolve_target("example.org:1", None, True, None, None, None).credentials is None


def test_tls_is_the_default_but_on_this_machine():
    assert resolve_target("example.org:1", None, False, None, None, None).is_secure
    assert not resolve_target("127.0.0.1:1", None, False, None, None, None).is_secure
    assert resolve_target("127.0.0.1:1", True, False, None, None, None).is_secure
    assert resolve_target("127.0.0.1:1", None, False, b"authority", None, None).is_secure
    assert resolve_target("example.org:1", True, True, None, None, None).is_secure


@pytest.mark.parametrize(("key", "chain", "argument"), [(b"k", None, "certificate_chain"), (None, b"c", "private_key")])
def test_half_a_client_certificate(key, chain, argument):
    with pytest.raises(MacpSessionError, match=argument):
        MacpClient("127.0.0.1:1", private_key=key, certificate_chain=chain)


MISTAKEN = [
    ("http://127.0.0.1:3100/mcp", "is a URL; gRPC takes host:port, such as 127.0.0.1:3100 .the port of HTTP"),
    ("https://example.org", "such as example.org:50051"),
    ("grpc://example.org:5", "is a URL; gRPC takes host:port, such as example.org:5$"),
    ("localhost", "has no port; it must be host:port, such as localhost:50051"),
    ("::1", r"such as \[::1\]:50051"),
    ("::1:50051", r"such as \[::1\]:50051"),
    ("[::1]", r"such as \[::1\]:50051"),
    ("127.0.0.1:", "has no port from 1 to 65535"),
    ("127.0.0.1:0", "has no port from 1 to 65535"),
    ("127.0.0.1:65536", "has no port from 1 to 65535"),
    ("127.0.0.1:grpc", "has no port from 1 to 65535"),
    (":50051", "has no host"),
    ("127.0.0.1:50051/path", "is not host:port"),
    ("ipv4:127.0.0.1:1,127.0.0.1", "has no port"),
    ("", "is missing or blank"),
    (None, "is missing or blank"),
]


@pytest.mark.parametrize(("address", "message"), MISTAKEN)
def test_an_address_that_is_none(address, message):
    with pytest.raises(MacpSessionError, match=message) as raised:
        MacpClient(address)
    assert raised.value.argument == "target"


@pytest.mark.parametrize("address", [*LOCAL, *REMOTE])
def test_an_address_that_is_one(address):
    assert validate_address(address) == address


def test_a_proxy_of_the_environment_is_not_used_for_this_machine():
    assert ("grpc.enable_http_proxy", 0) in resolve_target("127.0.0.1:1", False, False, None, None, None).options
    assert ("grpc.enable_http_proxy", 0) not in resolve_target("a.example:1", True, False, None, None, None).options


def test_a_blank_target():
    with pytest.raises(MacpSessionError, match="target"):
        MacpClient(" ", secure=False)
