"""The words of a Commitment that follow from the history when its author leaves them out."""

from __future__ import annotations

from ..errors import MacpSessionError
from .projection import HandoffProjection
from .records import HandoffOfferRecord

_DEFAULT_SCOPE = "handoff"


def default_outcome(
    projection: HandoffProjection,
    action: str | None,
    authority_scope: str | None,
    reason: str | None,
    outcome_positive: bool | None,
) -> tuple[str, str, str]:
    """Action, scope and reason."""
    decisive = _decisive_offer(projection)
    return (
        _default_action(decisive, outcome_positive) if action is None else action,
        ((decisive.scope if decisive else "") or _DEFAULT_SCOPE) if authority_scope is None else authority_scope,
        _default_reason(decisive) if reason is None else reason,
    )


def _decisive_offer(projection: HandoffProjection) -> HandoffOfferRecord | None:
    """The newest offer, if it was answered: nothing can be offered after an accept, or beside a pending offer."""
    newest = next(iter(reversed(projection.offers.values())), None)
    return newest if newest is not None and newest.disposition != "offered" else None


def _default_action(decisive: HandoffOfferRecord | None, outcome_positive: bool | None) -> str:
    if outcome_positive is not None:
        return "handoff.accepted" if outcome_positive else "handoff.declined"
    if decisive is None:
        raise MacpSessionError("action", "has no default: no answer to an offer is known here (sync() asks the runtime)")
    return f"handoff.{decisive.disposition}"


def _default_reason(decisive: HandoffOfferRecord | None) -> str:
    """Names the new holder, so that the record can be read without the transcript."""
    if decisive is None:
        return "no offer was answered"
    return f"{decisive.target_participant} {decisive.disposition} {decisive.scope or decisive.handoff_id}"
