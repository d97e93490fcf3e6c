"""The five watches without I/O.

After a reconnect the server tells the present state again; signals in between are lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, Union

from . import models
from ._convert import to_model
from ._feeds import Delivery
from ._wire import METHODS, Message
from .auth import AuthConfig
from .errors import MacpAckError

T = TypeVar("T")


class WatchFeed(Generic[T]):
    """A server stream of one kind of item; `read` turns a response into items."""

    resumes = True
    headers: Sequence[tuple[str, str]] = ()

    def __init__(self, method: str, auth: AuthConfig | None, read: Callable[[Message], list[T]]) -> None:
        self.method = METHODS[method]
        self.auth = auth
        self._read = read

    def opening(self) -> list[Message]:
        return [self.method.request()]

    def received(self, response: Message) -> list[Union[Delivery[T], MacpAckError]]:
        return [Delivery(item) for item in self._read(response)]


class SessionEvents:
    """Reads WatchSessions. After a reconnect the server lists every session again; only what is news passes.

    A session whose state changed in between is told as that change.
    """

    _CHANGES = {"RESOLVED": "RESOLVED", "EXPIRED": "EXPIRED", "CANCELLED": "CANCELLED", "SUSPENDED": "SUSPENDED"}

    def __init__(self) -> None:
        self._states: dict[str, str] = {}

    def __call__(self, response: Message) -> list[models.SessionEvent]:
        event = to_model(models.SessionEvent, response.event)
        session = event.session
        before = self._states.get(session.session_id)
        self._states[session.session_id] = session.state
        if event.event_type != "CREATED" or before is None:
            return [event]
        if before == session.state:
            return []
        kind = self._CHANGES.get(session.state, "RESUMED")
        return [models.SessionEvent(kind, session, event.observed_at_unix_ms)]


def watch_feed(name: str, auth: AuthConfig | None) -> WatchFeed[Any]:
    """The feed of one of the five watches."""
    readers: dict[str, Callable[[Message], list[Any]]] = {
        "WatchSessions": SessionEvents(),
        "WatchPolicies": lambda response: [to_model(models.PolicyList, response)],
        "WatchModeRegistry": lambda response: [to_model(models.RegistryChange, response.change)],
        "WatchRoots": lambda response: [to_model(models.RootsChange, response.change)],
        "WatchSignals": lambda response: [to_model(models.Envelope, response.envelope)],
    }
    return WatchFeed(name, auth, readers[name])
