"""After how long the policies of sessions answer in a silent target's name."""

from __future__ import annotations

from ..aio import AsyncMacpClient
from ..auth import AuthConfig
from ..errors import MacpClosedError, MacpSdkError
from .context_wait import policy_answers_ms

_MOST = 256


class AnsweringPolicies:
    """Asks once for each policy; a policy never changes under its id."""

    def __init__(self, client: AsyncMacpClient, auth: AuthConfig | None) -> None:
        self._client = client
        self._auth = auth
        self._known: dict[str, int] = {}

    async def answers_ms(self, policy_id: str) -> int:
        """Milliseconds; 0 when it never answers, or cannot be asked for."""
        if not policy_id:
            return 0
        if policy_id not in self._known:
            try:
                answers = policy_answers_ms(await self._client.get_policy(policy_id, auth=self._auth))
            except MacpClosedError:
                raise
            except MacpSdkError:
                return 0
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[policy_id] = answers
        return self._known[policy_id]
