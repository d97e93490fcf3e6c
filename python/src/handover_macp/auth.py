"""Credentials. A dev credential is a name that the server in dev mode believes; a bearer token is proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .errors import MacpIdentityMismatchError, MacpSessionError


@dataclass(frozen=True)
class AuthConfig:
    """One credential, and what is known of the sender it stands for."""

    bearer_token: str = field(repr=False)
    """The token as it is sent; never shown by `repr`."""
    sender_hint: str = ""
    """The sender to write into envelopes when nothing else is known."""
    expected_sender: str = ""
    """When set, any other sender is refused before anything is sent."""
    is_dev: bool = False
    """True for a dev credential, whose token is the agent's name."""

    def __post_init__(self) -> None:
        # A line break in a header value would let one header become two.
        if not self.bearer_token or not self.bearer_token.isascii() or not self.bearer_token.isprintable():
            raise MacpSessionError("bearer_token", "must be printable ASCII and not empty")
        if self.bearer_token != self.bearer_token.strip():
            raise MacpSessionError("bearer_token", "must not begin or end with a space")

    @classmethod
    def for_dev_agent(cls, agent_id: str, expected_sender: str | None = None) -> AuthConfig:
        """The credential of `agent_id` on a server in dev mode."""
        if not agent_id or not agent_id.strip():
            raise MacpSessionError("agent_id", "must not be blank")
        if expected_sender not in (None, "", agent_id):
            raise MacpIdentityMismatchError(agent_id, str(expected_sender))
        return cls(agent_id, sender_hint=agent_id, expected_sender=agent_id, is_dev=True)

    @classmethod
    def for_bearer(
        cls, token: str, sender_hint: str | None = None, expected_sender: str | None = None
    ) -> AuthConfig:
        """A real token. `expected_sender` pins whom it stands for; `sender_hint` only fills in envelopes."""
        return cls(token, sender_hint=sender_hint or "", expected_sender=expected_sender or "")

    @property
    def sender(self) -> str:
        """The sender this credential stands for, as far as it is known here; empty when only the server knows."""
        return self.expected_sender or self.sender_hint

    def acting_as(self, sender: str | None) -> tuple[AuthConfig, str]:
        """The credential and sender for one message. Only a dev credential can become another agent's."""
        if not sender or sender == self.sender:
            return self, self.sender
        if self.is_dev:
            return AuthConfig.for_dev_agent(sender), sender
        if self.expected_sender:
            raise MacpIdentityMismatchError(self.expected_sender, sender)
        return self, sender

    def metadata(self) -> Sequence[tuple[str, str]]:
        """The request headers that carry the credential."""
        return (("authorization", f"Bearer {self.bearer_token}"),)
