"""Between protobuf messages and the plain values of `models`, by field name; no field is listed twice."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from . import models, what_if
from ._wire import Message, core, enum_name

T = TypeVar("T")

_NESTED: dict[tuple[str, str], type[Any]] = {
    ("Ack", "error"): models.AckFailure,
    ("SessionMetadata", "participant_activity"): models.ParticipantActivity,
    ("SessionPage", "sessions"): models.SessionMetadata,
    ("SessionEvent", "session"): models.SessionMetadata,
    ("InitializeResult", "runtime_info"): models.RuntimeInfo,
    ("AgentManifest", "transport_endpoints"): models.TransportEndpoint,
    ("PolicyList", "descriptors"): models.PolicyDescriptor,
    ("WhatIfReplay", "recorded"): what_if.WhatIfOutcome,
    ("WhatIfReplay", "candidate"): what_if.WhatIfOutcome,
    ("WhatIfReplay", "denials"): what_if.WhatIfDenial,
    ("WhatIfReplay", "entries"): what_if.WhatIfEntry,
    ("WhatIfEntry", "recorded"): what_if.WhatIfEntryOutcome,
    ("WhatIfEntry", "candidate"): what_if.WhatIfEntryOutcome,
}


def to_model(model: type[T], message: Message) -> T:
    """Reads a message into a model; fields the message lacks keep the model's default."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(model):  # type: ignore[arg-type]
        if hasattr(message, field.name):
            nested = _NESTED.get((model.__name__, field.name))
            values[field.name] = _read(message, field, nested)
    return model(**values)


def _read(message: Message, field: dataclasses.Field[Any], nested: type[Any] | None) -> Any:
    value = getattr(message, field.name)
    if "enum" in field.metadata:
        return enum_name(field.metadata["enum"], value, field.metadata["prefix"])
    if nested and hasattr(value, "DESCRIPTOR"):
        absent = field.default is None and not message.HasField(field.name)
        return None if absent else to_model(nested, value)
    if field.default is None and not message.HasField(field.name):
        return None
    if nested:
        return tuple(to_model(nested, item) for item in value)
    return plain(value)


def plain(value: Any) -> Any:
    """A protobuf value as plain Python: messages and maps become dicts, lists become tuples."""
    if isinstance(value, (str, bytes, int, float)):
        return value
    if hasattr(value, "DESCRIPTOR"):
        return {field.name: plain(getattr(value, field.name)) for field in value.DESCRIPTOR.fields}
    if hasattr(value, "items"):
        return {key: plain(item) for key, item in value.items()}
    return tuple(plain(item) for item in value)


def from_model(name: str, model: Any) -> Message:
    """The `macp.v1` message with a model's fields (flat models only)."""
    fields = {field.name: getattr(model, field.name) for field in dataclasses.fields(model)}
    return core(name)(**fields)
