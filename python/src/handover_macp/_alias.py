"""Guards the package name `macp_sdk`, which a distribution of somebody else has, too.

Where both are installed their files lie in one folder, so half of what is imported would be the other's.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution

_OTHER = "macp-sdk-python"


def check_alias() -> None:
    """Refuses the name where it is not ours alone."""
    try:
        distribution(_OTHER)
    except PackageNotFoundError:
        return
    raise ImportError(
        f"macp_sdk belongs to two installed distributions, handover-macp-sdk and {_OTHER}: "
        "uninstall one, or import handover_macp, which is always this one"
    )
