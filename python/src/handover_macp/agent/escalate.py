"""Ready-made behaviour of an owner: offer to one target after another until somebody takes over.

The server notices silence, not the agent: a clock in an agent stops with the agent, and an offer cannot be taken back. So
the session's policy must decline in a silent target's name, and the strategy refuses any other policy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from ..errors import MacpSessionError, MacpUnsupportedError
from ..models import PolicyDescriptor
from ..validation import validate_participants
from .handlers import HandlerContext, IncomingMessage
from .participant import Participant, Strategy
from .strategies import unless_moved_on

_RULES = "x-handover.rules"


def escalate(
    targets: Sequence[str],
    policy: PolicyDescriptor,
    *,
    scope: str = "",
    reason: str = "",
    context: Callable[[str], tuple[str, bytes]] | None = None,
    handoff_id_prefix: str = "escalation",
    commit: bool = True,
) -> Strategy:
    """Offers to the next target when one declines or stays silent, and commits the outcome.

    `policy` is the one that the session is bound to. `context` gives a content type and bytes for a target, the same when
    asked again. Handoff ids are the prefix and a number.
    """
    names = validate_participants(targets)
    if not _silence_declines(policy):
        problem = f"{policy.policy_id!r} has no {_RULES}.implicit_decline_timeout_ms: a silent target would block the session"
        raise MacpSessionError("policy", problem)
    return _Escalation(names, policy, scope, reason, context, handoff_id_prefix, commit)


def _silence_declines(policy: PolicyDescriptor) -> bool:
    try:
        rules = json.loads(policy.rules)
        return bool(rules[_RULES]["implicit_decline_timeout_ms"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


class _Escalation:
    def __init__(
        self,
        targets: Sequence[str],
        policy: PolicyDescriptor,
        scope: str,
        reason: str,
        context: Callable[[str], tuple[str, bytes]] | None,
        prefix: str,
        commits: bool,
    ) -> None:
        self._targets = targets
        self._policy = policy
        self._scope = scope
        self._reason = reason
        self._context = context
        self._ids = [f"{prefix}-{number}" for number in range(1, len(targets) + 1)]
        self._commits = commits

    def install(self, participant: Participant) -> None:
        if participant.policy_version != self._policy.policy_id:
            raise MacpSessionError("policy_version", f"of the participant must be {self._policy.policy_id!r}")
        participant.on("SessionStart", self._started)
        participant.on("HandoffDecline", self._declined)
        participant.on("HandoffAccept", self._accepted)

    async def _started(self, message: IncomingMessage, context: HandlerContext) -> None:
        if not _is_mine(context):
            return
        capabilities = (await context.participant.client.initialize()).capabilities
        offered = capabilities.get("policy_registry", {}).get("rule_extensions", ())
        if not isinstance(offered, tuple) or _RULES not in offered:
            raise MacpUnsupportedError(f"the runtime does not know the rule extension {_RULES}: nobody would decline for a silent target")
        await self._offer(0, context)

    async def _declined(self, message: IncomingMessage, context: HandlerContext) -> None:
        handoff_id = (message.payload or {}).get("handoff_id")
        if _is_mine(context) and handoff_id in self._ids:
            await self._offer(self._ids.index(handoff_id) + 1, context)

    async def _accepted(self, message: IncomingMessage, context: HandlerContext) -> None:
        if _is_mine(context) and (message.payload or {}).get("handoff_id") in self._ids:
            await self._commit(context)

    async def _offer(self, index: int, context: HandlerContext) -> None:
        if index == len(self._targets):
            return await self._commit(context)
        target, handoff_id, session = self._targets[index], self._ids[index], context.session

        async def act() -> None:
            ids = {"message_id": f"offer:{handoff_id}"}
            await session.offer(handoff_id, target, scope=self._scope, reason=self._reason, **ids)
            if self._context is not None:
                content_type, data = self._context(target)
                ids = {"message_id": f"context:{handoff_id}"}
                await session.add_context(handoff_id, content_type=content_type, context=data, **ids)

        await unless_moved_on(act, context)

    async def _commit(self, context: HandlerContext) -> None:
        if not self._commits:
            return
        name = f"commit:{context.session.session_id}"
        await unless_moved_on(lambda: context.session.commit(message_id=name, commitment_id=name), context)


def _is_mine(context: HandlerContext) -> bool:
    return bool(context.projection.initiator == context.participant.participant_id)
