"""What would have come of a session under another policy, as the server replayed it."""

from __future__ import annotations

from dataclasses import dataclass, field

_STATE = {"enum": "macp.v1.SessionState", "prefix": "SESSION_STATE_"}
_KIND = {"enum": "macp.v1.WhatIfEntryOutcome.Kind", "prefix": "KIND_"}


@dataclass(frozen=True)
class WhatIfOutcome:
    """How a replay ended; without a session `state` is UNSPECIFIED. `resolution` is the payload that resolved it."""

    state: str = field(default="UNSPECIFIED", metadata=_STATE)
    resolution: bytes = b""
    resolved_by_history_index: int = 0
    resolved_by_message_id: str = ""
    resolved_by_message_type: str = ""


@dataclass(frozen=True)
class WhatIfEntryOutcome:
    """What became of one envelope: APPLIED, NOT_OPEN, REFUSED or NO_SESSION."""

    kind: str = field(default="UNSPECIFIED", metadata=_KIND)
    state: str = field(default="UNSPECIFIED", metadata=_STATE)
    error_code: str = ""
    details: bytes = b""


@dataclass(frozen=True)
class WhatIfEntry:
    """One accepted envelope in both replays; `history_index` counts from 0."""

    history_index: int = 0
    message_id: str = ""
    message_type: str = ""
    recorded: WhatIfEntryOutcome = WhatIfEntryOutcome()
    candidate: WhatIfEntryOutcome = WhatIfEntryOutcome()


@dataclass(frozen=True)
class WhatIfDenial:
    """What the candidate policy forbade; `details` is JSON text with `reasons` and `denials`."""

    history_index: int = 0
    message_id: str = ""
    details: bytes = b""


@dataclass(frozen=True)
class WhatIfReplay:
    """Both replays. `first_divergence` is the place of the first difference, None when they agree everywhere."""

    candidate_policy_id: str = ""
    recorded_policy_id: str = ""
    recorded: WhatIfOutcome = WhatIfOutcome()
    candidate: WhatIfOutcome = WhatIfOutcome()
    first_divergence: int | None = None
    denials: tuple[WhatIfDenial, ...] = ()
    entries: tuple[WhatIfEntry, ...] = ()
