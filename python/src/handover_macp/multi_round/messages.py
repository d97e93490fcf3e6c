"""The message of the multi-round mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import MacpSessionError
from ..session.messages import A, SessionMessages
from ..session.speaker import Speaker
from .projection import MultiRoundProjection

if TYPE_CHECKING:
    from typing_extensions import Unpack


class MultiRoundMessages(SessionMessages[A, MultiRoundProjection]):
    """What can be said in a multi-round session."""

    def contribute(self, value: str, **speaker: Unpack[Speaker]) -> A:
        """Contributes a value, in place of the one that one held before."""
        if not isinstance(value, str):
            raise MacpSessionError("value", "must be a text")
        return self._give(self._core.say("Contribute", {"value": value}, speaker))
