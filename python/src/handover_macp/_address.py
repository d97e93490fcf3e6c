"""What is a gRPC address, and which of them are this machine."""

from __future__ import annotations

import ipaddress
import re

from .errors import MacpSessionError

_SCHEMES = ("dns:", "ipv4:", "ipv6:")
_NAME_SERVER = re.compile("dns://[^/]")


def validate_address(address: object) -> str:
    """Refuses what is no gRPC target, in words: gRPC itself would look for a host of that name, or take port 443."""
    if not isinstance(address, str) or not address.strip():
        raise MacpSessionError("target", "is missing or blank")
    url = re.fullmatch(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", address)
    if url and url[1].lower() not in ("dns", "unix"):
        host, port = _parts(re.split("[/?#]", url[2])[0])
        hint = " (the port of HTTP is another than that of gRPC)" if url[1].lower() in ("http", "https") else ""
        example = f"{_shown(host or '127.0.0.1')}:{port or '50051'}"
        raise MacpSessionError("target", f"{address!r} is a URL; gRPC takes host:port, such as {example}{hint}")
    if not _is_unix(address):
        for one in _listed(address):
            _validate_part(address, one)
    return address


def _validate_part(address: str, one: str) -> None:
    if re.search(r"[\s/?#]", one):
        raise MacpSessionError("target", f"{address!r} is not host:port")
    host, port = _parts(one)
    if not host:
        raise MacpSessionError("target", f"{address!r} has no host; it must be host:port")
    if port is None:
        example = _example(host)
        raise MacpSessionError("target", f"{address!r} has no port; it must be host:port, such as {example}")
    if not re.fullmatch("[0-9]{1,5}", port) or not 1 <= int(port) <= 65_535:
        raise MacpSessionError("target", f"{address!r} has no port from 1 to 65535")


def is_loopback(address: str) -> bool:
    """True for this machine: 127.0.0.0/8, ::1, localhost, or a Unix socket."""
    if _is_unix(address):
        return True
    # A name server that the address brings along may say anything of any name.
    return not _NAME_SERVER.match(address) and all(_is_local_host(_parts(one)[0]) for one in _listed(address))


def _is_local_host(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_unix(address: str) -> bool:
    return address.startswith(("unix:", "unix-abstract:"))


def _listed(address: str) -> list[str]:
    """The names in a gRPC target: `host:port`, `[v6]:port`, `ipv4:a:1,b:2`, `dns:///host:port`."""
    for scheme in _SCHEMES:
        address = address.removeprefix(scheme)
    return re.sub("^//[^/]*/", "", address).split(",")


def _parts(name: str) -> tuple[str, str | None]:
    bracketed = re.fullmatch(r"\[([^\]]*)\](?::(.*))?", name)
    if bracketed:
        return bracketed[1], bracketed[2]
    host, colon, port = name.rpartition(":")
    if not colon or ":" in host:
        return name, None
    return host, port


def _example(host: str) -> str:
    """Of `::1:50051` the last part is meant as the port."""
    name, _, port = host.rpartition(":")
    try:
        if re.fullmatch("[0-9]{4,5}", port) and ipaddress.ip_address(name).version == 6:
            return f"[{name}]:{port}"
    except ValueError:
        pass
    return f"{_shown(host)}:50051"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
