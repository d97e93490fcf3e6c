"""The messages that sessions of every mode have, written once for both kinds of sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from ..auth import AuthConfig
from ..models import Ack, CommitmentRef, Root
from ..validation import validate_participants
from .core import P, SessionCore
from .outcome import outcome_fields
from .speaker import Speaker
from .start import start_fields

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._effects import Operation

A = TypeVar("A")


class SessionMessages(Generic[A, P]):
    """`A` is what a message gives: an Ack, or in asyncio what an Ack is awaited from. `P` is the mode's projection."""

    _core: SessionCore[P]

    def _give(self, operation: Operation[Ack]) -> A:
        raise NotImplementedError

    def _bind(self, participants: list[str], sender: str) -> list[str]:
        """Who takes part, as it is bound; a mode may know better than the caller."""
        return participants

    @property
    def session_id(self) -> str:
        """The id of the session."""
        return self._core.session_id

    @property
    def projection(self) -> P:
        """What is known of the session: own accepted messages, and what its stream has brought."""
        return self._core.projection

    def start(
        self,
        *,
        intent: str,
        participants: Sequence[str],
        ttl_ms: int,
        context: bytes | None = None,
        context_id: str = "",
        extensions: Mapping[str, bytes] | None = None,
        roots: Sequence[Root] | None = None,
        max_suspend_ms: int = 0,
        **speaker: Unpack[Speaker],
    ) -> A:
        """Starts the session; its sender is the initiator. `context` is frozen under extension `context`."""
        _, sender = self._core.identity(speaker)
        names = self._bind(validate_participants(participants), sender)
        fields = start_fields(intent, names, ttl_ms, context, context_id, extensions, roots, max_suspend_ms)
        return self._give(self._core.start(fields, speaker))

    def commit(
        self,
        action: str,
        authority_scope: str,
        reason: str,
        *,
        commitment_id: str | None = None,
        outcome_positive: bool | None = None,
        supersedes: CommitmentRef | None = None,
        **speaker: Unpack[Speaker],
    ) -> A:
        """Resolves the session. The outcome follows from the action's ending; where that says nothing it must be given."""
        fields = outcome_fields(action, authority_scope, reason, commitment_id, outcome_positive, supersedes)
        return self._give(self._core.commit(fields, speaker))

    def cancel(self, reason: str = "", *, auth: AuthConfig | None = None) -> A:
        """Ends the session without an outcome."""
        return self._give(self._core.control("CancelSession", reason, auth))

    def suspend(self, reason: str = "", *, auth: AuthConfig | None = None) -> A:
        """Stops the session's clock."""
        return self._give(self._core.control("SuspendSession", reason, auth))

    def resume(self, reason: str = "", *, auth: AuthConfig | None = None) -> A:
        """Goes on with the suspended session."""
        return self._give(self._core.control("ResumeSession", reason, auth))
