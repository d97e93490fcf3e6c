"""Reading the server's answer to a message."""

from __future__ import annotations

import json
from collections.abc import Sequence

from . import models
from ._convert import to_model
from ._wire import Message
from .errors import MacpAckError


def ack_error(failure: models.AckFailure, ack: models.Ack | None = None) -> MacpAckError:
    """The error that a refusal becomes; a policy's reasons are read from its details."""
    return MacpAckError(
        failure.code, failure.message, failure.session_id, failure.message_id, _reasons(failure.details), ack
    )


def _reasons(details: bytes) -> Sequence[str]:
    try:
        reasons = json.loads(details)["reasons"]
    except (ValueError, KeyError, TypeError):
        return ()
    return [str(reason) for reason in reasons] if isinstance(reasons, list) else ()


def read_ack(response: Message, raise_on_nack: bool) -> models.Ack:
    ack = to_model(models.Ack, response.ack)
    if ack.ok or not raise_on_nack:
        return ack
    raise ack_error(ack.error or models.AckFailure("INTERNAL_ERROR", "refused without an error"), ack)

