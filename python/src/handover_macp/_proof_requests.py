"""Receipts, their keys, and what-if replays, as operations. Each is asked for only where the server offers it."""

from __future__ import annotations

from . import models, what_if
from ._convert import from_model, to_model
from ._deadline import Deadline
from ._effects import Operation
from ._session_requests import SessionRequests
from .auth import AuthConfig
from .errors import MacpUnsupportedError
from .receipt import DecisionReceipt, ReceiptKeySet
from .validation import validate_kind, validate_session_id


class ProofRequests(SessionRequests):
    """What a server may offer beside sessions."""

    _offered: frozenset[tuple[str, str]] = frozenset()

    def _require(self, group: str, name: str, timeout: float | None) -> Operation[None]:
        """Asks the server what it can do; a yes is remembered."""
        if (group, name) in self._offered:
            return
        capabilities = (yield from self.initialize(timeout)).capabilities
        if not capabilities.get(group, {}).get(name):
            raise MacpUnsupportedError(f"this runtime does not offer it: its capabilities have no {group}.{name}")
        self._offered |= {(group, name)}

    def get_decision_receipt(
        self, session_id: str, auth: AuthConfig | None, timeout: float | None
    ) -> Operation[DecisionReceipt]:
        validate_session_id(session_id)
        deadline = Deadline(self.seconds(timeout))
        yield from self._require("decision_receipt", "get_decision_receipt", deadline.left)
        response = yield from self._ask("GetDecisionReceipt", auth, deadline.left, session_id=session_id)
        return DecisionReceipt.parse(response.receipt_json)

    def get_receipt_keys(self, timeout: float | None) -> Operation[ReceiptKeySet]:
        deadline = Deadline(self.seconds(timeout))
        yield from self._require("decision_receipt", "get_decision_receipt", deadline.left)
        response = yield from self._ask("GetReceiptKeys", None, deadline.left)
        return ReceiptKeySet.parse(response.jwks_json)

    def what_if_replay(
        self,
        session_id: str,
        candidate: models.PolicyDescriptor,
        auth: AuthConfig | None,
        timeout: float | None,
    ) -> Operation[what_if.WhatIfReplay]:
        validate_session_id(session_id)
        validate_kind("candidate", candidate, models.PolicyDescriptor)
        deadline = Deadline(self.seconds(timeout))
        yield from self._require("policy_registry", "what_if_replay", deadline.left)
        policy = from_model("PolicyDescriptor", candidate)
        response = yield from self._ask("WhatIfReplay", auth, deadline.left, session_id=session_id, candidate=policy)
        return to_model(what_if.WhatIfReplay, response)
