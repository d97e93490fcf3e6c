"""What is wrong with a connection that cannot be made, where what gRPC says of it tells.

Only what the caller wrote can be a mistake: a server that is down may be up again, and is named without being one.
"""

from __future__ import annotations

import re

from ._target import Target

_SIGNS = (
    (
        r"WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST",
        True,
        "{address} does not speak TLS: say secure=False (and allow_insecure=True, if it is not this machine)",
    ),
    (
        r"http1\.x server|Failed parsing HTTP/2",
        None,
        "{address} does not speak gRPC: it is probably the HTTP port of the runtime; its gRPC port is another",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED",
        True,
        "the certificate of {address} is not trusted: give its authority as root_certificates",
    ),
    (
        r"Hostname Verification Check failed|Peer name .* is not in peer certificate",
        True,
        "{address} has a certificate for another name: use the name that it is for",
    ),
    (
        r"CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA",
        True,
        "{address} asks for a client certificate that it trusts: give private_key and certificate_chain",
    ),
)


def connection_mistake(text: str, target: Target) -> str | None:
    """The caller's mistake in words; None where it is none."""
    for pattern, needs_tls, words in _SIGNS:
        if re.search(pattern, text) and needs_tls in (None, target.is_secure):
            return words.format(address=target.address)
    return None


def why_unavailable(text: str, target: Target) -> str | None:
    """In words, where nobody answers; gRPC's own text names sockets."""
    if "Connection refused" in text:
        return f"nothing listens at {target.address}: is the runtime running, and is it this port?"
    if re.search("errors resolving|resolution failed|lookup failed", text):
        return f"the name in the address {target.address} cannot be resolved"
    if re.search("No route to host|Network is unreachable|Connection timed out", text):
        return f"{target.address} cannot be reached from here"
    if not target.is_secure and "failed to connect" in text and re.search("Socket closed|reset by peer", text):
        return f"{target.address} cuts the connection off: if it speaks TLS, say secure=True"
    return None
