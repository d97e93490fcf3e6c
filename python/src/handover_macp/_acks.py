"""Reading the server's answer to a message."""

from __future__ import annotations

from . import models
from ._convert import to_model
from ._failures import ACKS
from ._refusal_details import read_details
from ._wire import Message
from .errors import MacpAckError


def ack_error(failure: models.AckFailure, ack: models.Ack | None = None) -> MacpAckError:
    """The error that a refusal becomes; what it says for programs is read from its details."""
    refusal = read_details(failure.details, failure.code, failure.session_id, failure.message_id)
    return ACKS.get(failure.code, MacpAckError)(failure.code, failure.message, refusal, ack)


def read_ack(response: Message, raise_on_nack: bool) -> models.Ack:
    """The Ack of an answer; a refusal is raised unless the caller wants to see it."""
    ack = to_model(models.Ack, response.ack)
    if ack.ok or not raise_on_nack:
        return ack
    raise ack_error(ack.error or models.AckFailure("INTERNAL_ERROR", "refused without an error"), ack)
