"""Watches of the asyncio client."""

from __future__ import annotations

from .. import models
from .._client_core import ClientCore
from .._reconnect import ReconnectPolicy
from .._watches import watch_feed
from ..auth import AuthConfig
from ._transport import AsyncTransport
from .stream import AsyncWatcher


class AsyncWatchCalls:
    """What a client can watch."""

    _core: ClientCore
    _transport: AsyncTransport

    def watch_sessions(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> AsyncWatcher[models.SessionEvent]:
        """Each session the caller may see, once, and then every change in their lives."""
        return AsyncWatcher(self._transport, watch_feed("WatchSessions", auth or self._core.auth), reconnect=reconnect)

    def watch_policies(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> AsyncWatcher[models.PolicyList]:
        """All policies now, and again after every change."""
        return AsyncWatcher(self._transport, watch_feed("WatchPolicies", auth or self._core.auth), reconnect=reconnect)

    def watch_mode_registry(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> AsyncWatcher[models.RegistryChange]:
        """A hint now, and one after every change of the modes."""
        feed = watch_feed("WatchModeRegistry", auth or self._core.auth)
        return AsyncWatcher(self._transport, feed, reconnect=reconnect)

    def watch_roots(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> AsyncWatcher[models.RootsChange]:
        """A hint now, and one after every change of the roots."""
        return AsyncWatcher(self._transport, watch_feed("WatchRoots", auth or self._core.auth), reconnect=reconnect)

    def watch_signals(
        self, *, auth: AuthConfig | None = None, reconnect: ReconnectPolicy | None = None
    ) -> AsyncWatcher[models.Envelope]:
        """Signals and progress as they come, with the caller's credential; none is kept for later."""
        return AsyncWatcher(self._transport, watch_feed("WatchSignals", auth or self._core.auth), reconnect=reconnect)
