"""Who speaks, and how: what every message of a session takes."""

from __future__ import annotations

from typing import TypedDict

from ..auth import AuthConfig


class Speaker(TypedDict, total=False):
    """Keyword arguments of every message."""

    sender: str | None
    """Who speaks; by default the owner of the credential. A dev credential becomes that agent's, a real one never does."""
    auth: AuthConfig | None
    """The credential of this message, in place of the session's."""
    message_id: str | None
    """An id of one's own: sending the same message under the same id again changes nothing."""
    timeout: float | None
    """Seconds that the whole call may take, attempts and waits included; by default the client's `default_timeout`."""


def check_speaker(speaker: Speaker) -> Speaker:
    """Refuses what no message takes, as Python does for arguments that are written out."""
    unknown = sorted(set(speaker) - set(Speaker.__annotations__))
    if unknown:
        raise TypeError(f"got an unexpected keyword argument {unknown[0]!r}")
    return speaker
