"""What would have come of a session under another policy, as the server replayed it."""

from __future__ import annotations

from dataclasses import dataclass, field

_STATE = {"enum": "macp.v1.SessionState", "prefix": "SESSION_STATE_"}
_KIND = {"enum": "macp.v1.WhatIfEntryOutcome.Kind", "prefix": "KIND_"}


@dataclass(frozen=True)
class WhatIfOutcome:
    """How a replay ended; without a session `state` is UNSPECIFIED. `resolution` is the payload that resolved it."""

    state: str = field(default="UNSPECIFIED", metadata=_STATE)
    """The state that the session ended in."""
    resolution: bytes = b""
    resolved_by_history_index: int = 0
    """The place of the envelope that resolved it, counted from 0."""
    resolved_by_message_id: str = ""
    """The id of that envelope."""
    resolved_by_message_type: str = ""
    """Its type."""


@dataclass(frozen=True)
class WhatIfEntryOutcome:
    """What became of one envelope: APPLIED, NOT_OPEN, REFUSED or NO_SESSION."""

    kind: str = field(default="UNSPECIFIED", metadata=_KIND)
    """What became of it."""
    state: str = field(default="UNSPECIFIED", metadata=_STATE)
    """The state of the session after it."""
    error_code: str = ""
    """The code of the refusal; empty where it was none."""
    details: bytes = b""
    """What the refusal carries besides; JSON text for a policy that said no."""


@dataclass(frozen=True)
class WhatIfEntry:
    """One accepted envelope in both replays; `history_index` counts from 0."""

    history_index: int = 0
    message_id: str = ""
    """The envelope."""
    message_type: str = ""
    """Its type."""
    recorded: WhatIfEntryOutcome = WhatIfEntryOutcome()
    """What became of it under the policy that the session had."""
    candidate: WhatIfEntryOutcome = WhatIfEntryOutcome()
    """What would have become of it under the other one."""


@dataclass(frozen=True)
class WhatIfDenial:
    """What the candidate policy forbade; `details` is JSON text with `reasons` and `denials`."""

    history_index: int = 0
    """The place of the envelope, counted from 0."""
    message_id: str = ""
    """Its id."""
    details: bytes = b""


@dataclass(frozen=True)
class WhatIfReplay:
    """Both replays. `first_divergence` is the place of the first difference, None when they agree everywhere."""

    candidate_policy_id: str = ""
    """The policy that was tried."""
    recorded_policy_id: str = ""
    """The policy that the session was bound to."""
    recorded: WhatIfOutcome = WhatIfOutcome()
    """How the session ended."""
    candidate: WhatIfOutcome = WhatIfOutcome()
    """How it would have ended."""
    first_divergence: int | None = None
    denials: tuple[WhatIfDenial, ...] = ()
    """Everything that the tried policy forbade."""
    entries: tuple[WhatIfEntry, ...] = ()
    """Each accepted envelope, in order."""
