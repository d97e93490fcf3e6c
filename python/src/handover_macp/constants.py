"""Names and defaults of the protocol that callers may need."""

MACP_VERSION = "1.0"
"""The protocol version of every envelope."""

MODE_HANDOFF = "macp.mode.handoff.v1"
"""Mode identifier of Handoff Mode."""

CONTROL_TYPES = frozenset({"SessionCancel", "SessionSuspend", "SessionResume"})
"""Suspend, resume and cancel: they have no place of their own in the history."""

DEFAULT_MODE_VERSION = "1.0.0"
"""The version of Handoff Mode that this SDK speaks."""

DEFAULT_CONFIGURATION_VERSION = "config.default"
"""Configuration profile bound at SessionStart unless another is named."""

DEFAULT_POLICY_VERSION = "policy.default"
"""The policy that an empty policy version resolves to."""

CONTEXT_EXTENSION = "context"
"""The SessionStart extension key under which `start(context=...)` is stored."""

MAX_TTL_MS = 86_400_000
"""The longest time to live of a session: 24 hours."""

MAX_PARTICIPANTS = 1000
"""The largest number of participants of a session."""
