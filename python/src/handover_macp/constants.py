"""Names and defaults of the protocol that callers may need."""

MACP_VERSION = "1.0"
"""The protocol version of every envelope."""

MODE_HANDOFF = "macp.mode.handoff.v1"
"""Handoff Mode: responsibility goes to a named target."""

MODE_DECISION = "macp.mode.decision.v1"
"""Decision Mode: options, evaluations, objections and votes."""

MODE_PROPOSAL = "macp.mode.proposal.v1"
"""Proposal Mode: peers agree on a proposal."""

MODE_TASK = "macp.mode.task.v1"
"""Task Mode: one task, one assignee, one report."""

MODE_QUORUM = "macp.mode.quorum.v1"
"""Quorum Mode: an action needs a number of approvals."""

MODE_MULTI_ROUND = "ext.multi_round.v1"
"""The multi-round extension mode: values, round after round, until all are equal."""

STANDARD_MODES = (MODE_DECISION, MODE_PROPOSAL, MODE_TASK, MODE_HANDOFF, MODE_QUORUM)
"""The five modes that the protocol itself defines."""

CONTROL_TYPES = frozenset({"SessionCancel", "SessionSuspend", "SessionResume"})
"""Suspend, resume and cancel: they have no place of their own in the history."""

DEFAULT_MODE_VERSION = "1.0.0"
"""The version of every mode that this SDK speaks."""

DEFAULT_CONFIGURATION_VERSION = "config.default"
"""Configuration profile bound at SessionStart unless another is named."""

DEFAULT_POLICY_VERSION = "policy.default"
"""The policy of sessions that name no other."""

CONTEXT_EXTENSION = "context"
"""The SessionStart extension key under which `start(context=...)` is stored."""

MAX_TTL_MS = 86_400_000
"""The longest time to live of a session: 24 hours."""

MAX_PARTICIPANTS = 1000
"""The largest number of participants of a session."""
