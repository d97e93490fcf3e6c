"""What the builders share: blocks of rules that leave out what was not given, and checks that name the argument."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import MacpSessionError
from ..models import PolicyDescriptor
from ..validation import validate_id


def block(**values: Any) -> dict[str, Any]:
    """A block with the keys that were given."""
    return {key: value for key, value in values.items() if value is not None}


def descriptor(
    mode: str, policy_id: str, description: str, blocks: Mapping[str, Mapping[str, Any]], schema_version: int = 1
) -> PolicyDescriptor:
    """A policy with the blocks that hold something."""
    rules = {key: value for key, value in blocks.items() if value}
    return PolicyDescriptor(
        policy_id=validate_id("policy_id", policy_id),
        mode=mode,
        description=description,
        rules=json.dumps(rules),
        schema_version=schema_version,
    )


def check_choice(argument: str, value: str | None, words: Sequence[str]) -> str | None:
    """One of a closed set of words, exactly."""
    if value is not None and value not in words:
        raise MacpSessionError(argument, f"must be one of {', '.join(words)}")
    return value


def check_flag(argument: str, value: bool | None) -> bool | None:
    """True or False; other values would be read as a type error by the server."""
    if value is not None and not isinstance(value, bool):
        raise MacpSessionError(argument, "must be True or False")
    return value
