"""The fields of a Commitment: what the caller says, and for the rest what the history says."""

from __future__ import annotations

from typing import Any

from .envelopes import infer_outcome_positive, new_commitment_id
from .errors import MacpSessionError
from .models import CommitmentRef
from .projection import HandoffProjection
from .records import HandoffOfferRecord
from .validation import validate_commitment_hash, validate_id, validate_text

_DEFAULT_SCOPE = "handoff"
_POSITIVE_ENDINGS = ("selected", "accepted", "completed", "approved")


def commitment_fields(
    projection: HandoffProjection,
    action: str | None,
    authority_scope: str | None,
    reason: str | None,
    commitment_id: str | None,
    outcome_positive: bool | None,
    supersedes: CommitmentRef | None,
) -> dict[str, Any]:
    """Everything but the versions."""
    decisive = _decisive_offer(projection)
    action = validate_text("action", _default_action(decisive, outcome_positive) if action is None else action)
    if authority_scope is None:
        authority_scope = (decisive.scope if decisive else "") or _DEFAULT_SCOPE
    if reason is None:
        reason = _default_reason(decisive)
    fields: dict[str, Any] = {
        "commitment_id": validate_id("commitment_id", commitment_id or new_commitment_id()),
        "action": action,
        "authority_scope": validate_text("authority_scope", authority_scope),
        "reason": validate_text("reason", reason),
        "outcome_positive": _outcome(action, outcome_positive),
    }
    if supersedes is not None:
        fields["supersedes"] = {
            "session_id": validate_text("supersedes", supersedes.session_id),
            "commitment_hash": validate_commitment_hash(supersedes.commitment_hash),
        }
    return fields


def _decisive_offer(projection: HandoffProjection) -> HandoffOfferRecord | None:
    """The newest offer, if it was answered: nothing can be offered after an accept, or beside a pending offer."""
    newest = next(iter(reversed(projection.offers.values())), None)
    return newest if newest is not None and newest.disposition != "offered" else None


def _default_action(decisive: HandoffOfferRecord | None, outcome_positive: bool | None) -> str:
    if outcome_positive is not None:
        return "handoff.accepted" if outcome_positive else "handoff.declined"
    if decisive is None:
        raise MacpSessionError("action", "has no default: no answer to an offer is known here (sync() asks the server)")
    return f"handoff.{decisive.disposition}"


def _default_reason(decisive: HandoffOfferRecord | None) -> str:
    """Names the new holder, so that the record can be read without the transcript."""
    if decisive is None:
        return "no offer was answered"
    return f"{decisive.target_participant} {decisive.disposition} {decisive.scope or decisive.handoff_id}"


def _outcome(action: str, given: bool | None) -> bool:
    if given is None:
        return infer_outcome_positive(action)
    if given and not infer_outcome_positive(action):
        raise MacpSessionError("outcome_positive", f"is true but the action {action!r} says a negative outcome")
    if not given and action.endswith(_POSITIVE_ENDINGS):
        raise MacpSessionError("outcome_positive", f"is false but the action {action!r} says a positive outcome")
    return given
