"""Watches of the synchronous client."""

from __future__ import annotations

from . import models
from ._client_core import ClientCore
from ._reconnect import ReconnectPolicy
from ._transport import SyncTransport
from ._watches import watch_feed
from .auth import AuthConfig
from .stream import Watcher


class WatchCalls:
    """What a client can watch."""

    _core: ClientCore
    _transport: SyncTransport

    def watch_sessions(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> Watcher[models.SessionEvent]:
        """Each session the caller may see, once, and then every change in their lives."""
        return Watcher(self._transport, watch_feed("WatchSessions", auth or self._core.auth), reconnect=reconnect)

    def watch_policies(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> Watcher[models.PolicyList]:
        """All policies now, and again after every change."""
        return Watcher(self._transport, watch_feed("WatchPolicies", auth or self._core.auth), reconnect=reconnect)

    def watch_mode_registry(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> Watcher[models.RegistryChange]:
        """A hint now, and one after every change of the modes."""
        return Watcher(self._transport, watch_feed("WatchModeRegistry", auth or self._core.auth), reconnect=reconnect)

    def watch_roots(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> Watcher[models.RootsChange]:
        """A hint now, and one after every change of the roots."""
        return Watcher(self._transport, watch_feed("WatchRoots", auth or self._core.auth), reconnect=reconnect)

    def watch_signals(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> Watcher[models.Envelope]:
        """Signals and progress as they come, with the caller's credential; none is kept for later."""
        return Watcher(self._transport, watch_feed("WatchSignals", auth or self._core.auth), reconnect=reconnect)
