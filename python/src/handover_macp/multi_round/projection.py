"""What a client knows of a multi-round session."""

from __future__ import annotations

import json

from .._wire import Message, message_class
from ..constants import MODE_MULTI_ROUND
from ..envelopes import parse_payload
from ..errors import MacpSdkError
from ..models import Envelope
from ..session.projection import SessionProjection
from .records import ContributionRecord


class MultiRoundProjection(SessionProjection):
    """Follows a multi-round session; phases are Contributing, Converged and Committed."""

    mode = MODE_MULTI_ROUND

    def _reset(self) -> None:
        self._round = 0
        self._converged = False
        self._values: dict[str, str] = {}
        self._contributions: list[ContributionRecord] = []

    def _read(self, envelope: Envelope) -> Message | None:
        if envelope.message_type != "Contribute":
            return super()._read(envelope)
        value = read_contribution(envelope)
        return None if value is None else message_class("macp.modes.multi_round.v1.ContributePayload")(value=value)

    def _contribute(self, envelope: Envelope, payload: Message) -> None:
        value = payload.value
        if self._values.get(envelope.sender) != value:
            self._round += 1
            self._values[envelope.sender] = value
            complete = len(self._values) == len(self.participants)
            self._converged = complete and len(set(self._values.values())) == 1
        self._contributions.append(ContributionRecord(value, envelope.sender, self._round))

    _folds = {"Contribute": _contribute}

    def _open_phase(self) -> str:
        return "Converged" if self._converged else "Contributing"

    @property
    def values(self) -> dict[str, str]:
        """The value that each participant holds, by participant, in the order of their first contributions."""
        return self._values

    @property
    def contributions(self) -> list[ContributionRecord]:
        """All contributions, in order."""
        return self._contributions

    @property
    def round(self) -> int:
        """How many contributions were new: each is a round."""
        return self._round

    @property
    def is_converged(self) -> bool:
        """Whether all participants hold the same value."""
        return self._converged

    @property
    def converged_value(self) -> str | None:
        """The value that all participants hold; None while they do not."""
        return next(iter(self._values.values())) if self._converged else None


def read_contribution(envelope: Envelope) -> str | None:
    """The value of a Contribute message, in protobuf or, from older senders, the JSON object {"value": "..."}.

    Some bytes are both: those that protobuf would write again as they are count as protobuf.
    """
    if not envelope.payload:
        return None
    try:
        decoded = parse_payload(envelope)
    except MacpSdkError:
        decoded = None
    if decoded is not None and _without_unknown(decoded) == envelope.payload:
        return str(decoded.value)
    read = _read_json(envelope.payload)
    return read if read is not None or decoded is None else str(decoded.value)


def _without_unknown(decoded: Message) -> bytes:
    return bytes(type(decoded)(value=decoded.value).SerializeToString())


def _read_json(payload: bytes) -> str | None:
    try:
        value = json.loads(payload.decode())
    except (ValueError, RecursionError):
        return None
    read = value.get("value") if isinstance(value, dict) else None
    return read if isinstance(read, str) else None
