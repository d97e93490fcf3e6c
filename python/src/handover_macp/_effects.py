"""Operations as data.

An operation is a generator: it yields what is to be done (`Call`, `Sleep`) and is sent the result. Every rule of the
client lives in operations; a transport only carries out effects, so the two transports cannot differ.

E1. An operation does no I/O.
E2. A failed call is thrown into the operation as a `MacpTransportError`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Union

from ._wire import METHODS, Message, Method
from .auth import AuthConfig

T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """One unary call; its result is the response message."""

    method: Method
    request: Message
    auth: AuthConfig | None
    timeout: float | None

    @property
    def session_id(self) -> str:
        """The session that the call is about; empty when it is about none."""
        envelope = getattr(self.request, "envelope", None)
        return str(getattr(self.request, "session_id", "") or getattr(envelope, "session_id", ""))

    @property
    def metadata(self) -> Sequence[tuple[str, str]]:
        """The headers of the call."""
        return self.auth.metadata() if self.auth else ()


@dataclass(frozen=True)
class Sleep:
    """A pause before the next effect."""

    seconds: float


@dataclass(frozen=True)
class Done(Generic[T]):
    """The result of an operation."""

    value: T


Effect = Union[Call, Sleep]
Operation = Generator[Effect, Any, T]


def advance(operation: Operation[T], result: Any = None, error: Exception | None = None) -> Union[Effect, Done[T]]:
    """Gives an operation the outcome of its last effect; what it wants next, or its result."""
    try:
        return operation.send(result) if error is None else operation.throw(error)
    except StopIteration as stop:
        return Done(stop.value)


def call(name: str, auth: AuthConfig | None, timeout: float | None, **fields: Any) -> Call:
    """A call of the RPC `name` with these request fields."""
    method = METHODS[name]
    return Call(method, method.request(**fields), auth, timeout)
