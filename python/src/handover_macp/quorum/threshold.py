"""How many approvals a policy asks for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..models import PolicyDescriptor


def effective_quorum_threshold(
    policy: PolicyDescriptor | None, participants: Sequence[str], required: int
) -> int | None:
    """How many approvals a policy makes of those that were required; None when its rules cannot be read."""
    if policy is None:
        return required
    try:
        rules = json.loads(policy.rules)
    except (ValueError, RecursionError):
        return None
    threshold = rules.get("threshold", {}) if isinstance(rules, dict) else None
    if not isinstance(threshold, dict):
        return None
    kind = threshold.get("type", "n_of_m")
    if "value" not in threshold:
        return required if kind in ("n_of_m", "count", "percentage") else None
    value = _whole(threshold["value"])
    if value is None or value < 1:
        return None
    if kind in ("n_of_m", "count"):
        return value
    if kind != "percentage" or value > 100:
        return None
    # In whole numbers: a product of fractions could round past the next approval.
    return max((value * len(participants) + 99) // 100, 1)


def _whole(value: Any) -> int | None:
    """JSON knows one kind of numbers: 2.0 is 2."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        return None
    return int(value)
