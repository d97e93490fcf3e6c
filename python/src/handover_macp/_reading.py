"""What a stream hands to its caller, whichever transport brought it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, Union

from ._feeds import Delivery
from .errors import MacpAckError, MacpSdkError

T = TypeVar("T")


class End:
    """The last event of a stream: it is over, with or without an error."""

    def __init__(self, error: MacpSdkError | None = None) -> None:
        self.error = error


Event = Union[Delivery[T], MacpAckError, End]


class Reading(Generic[T]):
    """The reader's side of a stream: where it is, and whether it has ended."""

    def __init__(
        self,
        on_inline_error: Callable[[MacpAckError], None] | None,
        on_item: Callable[[T, int | None], object] | None,
    ) -> None:
        self.last_sequence = 0
        self._on_inline_error = on_inline_error
        self._on_item = on_item
        self._end: End | None = None

    @property
    def ended(self) -> bool:
        """True when nothing more will come."""
        return self._end is not None

    def take(self, event: Event[T]) -> Delivery[T] | None:
        """What to hand over for an event; None when there is nothing. Raises an inline error that nobody handles."""
        if isinstance(event, End):
            self._end = self._end or event
        elif isinstance(event, Delivery):
            self.last_sequence = event.sequence or self.last_sequence
            if self._on_item is not None:
                self._on_item(event.item, event.sequence)
            return event
        elif self._on_inline_error is None:
            raise event
        else:
            self._on_inline_error(event)
        return None

    def raise_end(self) -> None:
        """Raises the error that ended the stream, if one did."""
        if self._end is not None and self._end.error is not None:
            raise self._end.error
