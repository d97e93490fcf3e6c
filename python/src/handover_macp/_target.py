"""Where to connect, and whether that may be done without encryption."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import grpc

from ._address import is_loopback, validate_address
from .errors import MacpSessionError

_MAX_RECEIVE_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class Target:
    """A checked address and the channel settings that go with it."""

    address: str
    credentials: Any
    """gRPC channel credentials, or None for an insecure channel."""
    options: tuple[tuple[str, int], ...]

    @property
    def is_secure(self) -> bool:
        """With TLS."""
        return self.credentials is not None


def resolve_target(
    address: str,
    secure: bool | None,
    allow_insecure: bool,
    root_certificates: bytes | None,
    private_key: bytes | None,
    certificate_chain: bytes | None,
) -> Target:
    """Plaintext is the default on this machine, TLS elsewhere; there plaintext needs the word."""
    validate_address(address)
    # Of an environment variable both "true" and "false" would be true.
    for argument, value in (("secure", secure), ("allow_insecure", allow_insecure)):
        if value is not None and not isinstance(value, bool):
            raise MacpSessionError(argument, "must be True or False")
    if (private_key is None) != (certificate_chain is None):
        missing = "private_key" if private_key is None else "certificate_chain"
        raise MacpSessionError(missing, "must be given, too: a client certificate needs both")
    local = is_loopback(address)
    wants_tls = root_certificates is not None or private_key is not None
    encrypted = (wants_tls or not (local or allow_insecure)) if secure is None else secure
    if not encrypted and not (local or allow_insecure):
        problem = f"is False, which sends credentials in the clear to {address}; say allow_insecure=True if that is meant"
        raise MacpSessionError("secure", problem)
    options: list[tuple[str, int]] = [
        ("grpc.max_receive_message_length", _MAX_RECEIVE_BYTES),
        # Each channel has a connection of its own: connections have a limit of streams.
        ("grpc.use_local_subchannel_pool", 1),
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
