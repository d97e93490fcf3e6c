"""Calls about sessions, as operations."""

from __future__ import annotations

from collections.abc import Callable

from . import models
from ._acks import read_ack
from ._convert import to_model
from ._deadline import Deadline
from ._effects import Operation
from ._message_requests import MessageRequests
from .auth import AuthConfig
from .constants import MACP_VERSION
from .errors import MacpTimeoutError, MacpTransportError
from .validation import validate_integer, validate_session_id


class SessionRequests(MessageRequests):
    """Initialize, read, list and control sessions."""

    def initialize(self, timeout: float | None) -> Operation[models.InitializeResult]:
        info = {"name": self.name, "version": self.version}
        response = yield from self._ask(
            "Initialize", None, timeout, supported_protocol_versions=[MACP_VERSION], client_info=info
        )
        return to_model(models.InitializeResult, response)

    def get_session(
        self, session_id: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.SessionMetadata]:
        response = yield from self._ask("GetSession", auth, timeout, session_id=validate_session_id(session_id))
        return to_model(models.SessionMetadata, response.metadata)

    def control(
        self,
        method: str,
        session_id: str,
        reason: str,
        auth: AuthConfig | None,
        timeout: float | None,
        raise_on_nack: bool = True,
    ) -> Operation[models.Ack]:
        """Cancel, suspend or resume."""
        validate_session_id(session_id)
        response = yield from self._ask(method, auth, timeout, session_id=session_id, reason=reason)
        return read_ack(response, raise_on_nack)

    def list_sessions_page(
        self, page_size: int, page_token: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[models.SessionPage]:
        validate_integer("page_size", page_size, 0, 2**31 - 1)
        response = yield from self._ask("ListSessions", auth, timeout, page_size=page_size, page_token=page_token)
        return to_model(models.SessionPage, response)

    def list_sessions(
        self,
        page_size: int,
        auth: AuthConfig | None,
        timeout: float | None,
        keep: Callable[[models.SessionMetadata], bool] = lambda session: True,
    ) -> Operation[list[models.SessionMetadata]]:
        """All pages, within one deadline. A token that came before would lead round in a circle."""
        deadline = Deadline(self.seconds(timeout))
        sessions: list[models.SessionMetadata] = []
        token = ""
        seen: set[str] = set()
        while True:
            if not deadline.allows(0):
                raise MacpTimeoutError(f"the list of sessions did not end within {self.seconds(timeout)} s")
            page = yield from self.list_sessions_page(page_size, token, auth, deadline.left)
            sessions.extend(filter(keep, page.sessions))
            token = page.next_page_token
            if not token:
                return sessions
            if token in seen:
                problem = "the list of sessions does not end: a page token of the server came twice"
                raise MacpTransportError(problem, "INTERNAL")
            seen.add(token)
