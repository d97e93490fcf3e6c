"""Where to connect, and whether that may be done without encryption."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Any

import grpc

from .errors import MacpSdkError, MacpSessionError

_MAX_RECEIVE_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class Target:
    """A checked address and the channel settings that go with it."""

    address: str
    credentials: Any
    """gRPC channel credentials, or None for an insecure channel."""
    options: tuple[tuple[str, int], ...]


def resolve_target(
    address: str,
    secure: bool | None,
    allow_insecure: bool,
    root_certificates: bytes | None,
    private_key: bytes | None,
    certificate_chain: bytes | None,
) -> Target:
    """Refuses an insecure channel to anything but this machine unless the caller says the word."""
    if not isinstance(address, str) or not address.strip():
        raise MacpSessionError("target", "must be host:port")
    local = is_loopback(address)
    encrypted = not allow_insecure if secure is None else secure
    if not encrypted and not (local or allow_insecure):
        raise MacpSdkError(f"allow_insecure: must be True to reach {address} without TLS; tokens would be readable")
    options: list[tuple[str, int]] = [
        ("grpc.max_receive_message_length", _MAX_RECEIVE_BYTES),
        # Between its attempts to connect gRPC fails every call; by default that grows from a second to two minutes.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1000),
    ]
    if local:
        # A proxy from the environment would carry a loopback connection, and its token, off this machine.
        options.append(("grpc.enable_http_proxy", 0))
    credentials = (
        grpc.ssl_channel_credentials(root_certificates, private_key, certificate_chain) if encrypted else None
    )
    return Target(address, credentials, tuple(options))


def is_loopback(address: str) -> bool:
    """True for this machine: 127.0.0.0/8, ::1, localhost, or a Unix socket."""
    if address.startswith(("unix:", "unix-abstract:")):
        return True
    for scheme in ("dns:///", "dns:", "ipv4:", "ipv6:"):
        address = address.removeprefix(scheme)
    if "," in address:
        return all(is_loopback(part) for part in address.split(","))
    host = _host(address)
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _host(address: str) -> str:
    if address.startswith("["):
        return address[1:].partition("]")[0]
    if address.count(":") > 1:
        return address
    return address.partition(":")[0]
