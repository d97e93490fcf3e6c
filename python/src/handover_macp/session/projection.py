"""What a client knows of one session. Each mode folds its own messages; this is what all modes share.

P1. Applying an envelope twice changes nothing. Envelopes are told apart by message id; an empty id tells nothing apart.
P2. Envelopes that carry a sequence come first, in that order; own messages whose place is not known yet follow. So a
    context that we sent before we saw the target's answer becomes late once the stream shows the true order.
P3. An envelope that cannot follow from the state (a second answer, context for an unknown offer) changes nothing.
P4. What is committed stays committed: the first Commitment counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from .._wire import Message
from ..constants import CONTEXT_EXTENSION, CONTROL_TYPES
from ..envelopes import parse_payload
from ..errors import MacpSdkError, MacpSessionError
from ..models import CommitmentRef, Envelope
from .records import CommitmentRecord, ProjectionAnomaly, SessionStartRecord

_CONTROL_STATES = {"SessionCancel": "CANCELLED", "SessionSuspend": "SUSPENDED", "SessionResume": "OPEN"}


class SessionProjection:
    """Follows a session on the client's side; there is one class for each mode."""

    mode: ClassVar[str] = ""
    """The mode whose envelopes are understood."""
    _folds: ClassVar[Mapping[str, Callable[..., None]]] = {}
    """What takes in each of the mode's own messages: a method of the envelope and its payload."""

    def __init__(self, session_id: str = "") -> None:
        self._session_id = session_id
        # Controls are not counted: they stand behind an envelope, in the order in which they came.
        self._placed: dict[tuple[int, int], Envelope] = {}
        self._unplaced: list[Envelope] = []
        self._message_ids: set[str] = set()
        self._complete_to = 0
        self._clear()

    def _clear(self) -> None:
        self._start: SessionStartRecord | None = None
        self._commitment: CommitmentRecord | None = None
        self._session_state = "OPEN"
        self._anomalies: list[ProjectionAnomaly] = []
        self._reset()

    def _reset(self) -> None:
        """Forgets what the mode's own messages have said."""
        raise NotImplementedError

    def _open_phase(self) -> str:
        """The phase before the Commitment."""
        raise NotImplementedError

    def apply_envelope(self, envelope: Envelope, sequence: int | None = None) -> bool:
        """Takes an accepted envelope into account; `sequence` is its place in the history. False if nothing changed."""
        if self._session_id and envelope.session_id != self._session_id:
            raise MacpSessionError("envelope", f"belongs to session {envelope.session_id}, not {self._session_id}")
        self._session_id = envelope.session_id
        if sequence is not None:
            return self._place(envelope, sequence)
        if self._knows(envelope):
            return False
        self._message_ids.add(envelope.message_id)
        self._unplaced.append(envelope)
        self._apply(envelope)
        return True

    def _knows(self, envelope: Envelope) -> bool:
        return envelope.message_id != "" and envelope.message_id in self._message_ids

    def _place(self, envelope: Envelope, sequence: int) -> bool:
        known = self._knows(envelope)
        place = self._place_of(envelope, sequence)
        if place in self._placed or (known and place[1] > 0):
            return False
        is_newest = place > max(self._placed, default=(0, 0))
        in_order = is_newest and (not self._unplaced or self._unplaced[0].message_id == envelope.message_id)
        self._message_ids.add(envelope.message_id)
        if known:
            self._unplaced = [item for item in self._unplaced if item.message_id != envelope.message_id]
        self._placed[place] = envelope
        while (self._complete_to + 1, 0) in self._placed:
            self._complete_to += 1
        if not in_order:
            self._refold()
        elif not known:
            self._apply(envelope)
        return not in_order or not known

    def _place_of(self, envelope: Envelope, sequence: int) -> tuple[int, int]:
        if envelope.message_type not in CONTROL_TYPES:
            return sequence, 0
        behind = 1
        while (sequence, behind) in self._placed:
            behind += 1
        return sequence, behind

    def _refold(self) -> None:
        self._clear()
        for envelope in self.transcript:
            self._apply(envelope)

    def _apply(self, envelope: Envelope) -> None:
        if envelope.mode != self.mode:
            return
        if envelope.message_type in _CONTROL_STATES:
            self._session_state = _CONTROL_STATES[envelope.message_type]
            return
        try:
            payload = self._read(envelope)
        except MacpSdkError:
            return  # What cannot be read changes nothing.
        if payload is None:
            return
        if envelope.message_type == "SessionStart":
            self._take_start(envelope, payload)
        elif envelope.message_type == "Commitment":
            self._take_commitment(envelope, payload)
        elif envelope.message_type in self._folds:
            self._folds[envelope.message_type](self, envelope, payload)

    def _read(self, envelope: Envelope) -> Message | None:
        return parse_payload(envelope)

    def _take_start(self, envelope: Envelope, payload: Message) -> None:
        if self._start is not None:
            return
        context = payload.extensions[CONTEXT_EXTENSION] if CONTEXT_EXTENSION in payload.extensions else None
        self._start = SessionStartRecord(
            initiator=envelope.sender,
            intent=payload.intent,
            participants=tuple(payload.participants),
            mode_version=payload.mode_version,
            configuration_version=payload.configuration_version,
            policy_version=payload.policy_version,
            ttl_ms=payload.ttl_ms,
            context_id=payload.context_id,
            context=context,
        )

    def _take_commitment(self, envelope: Envelope, payload: Message) -> None:
        if self._commitment is not None:
            return
        ref = payload.supersedes if payload.HasField("supersedes") else None
        self._session_state = "RESOLVED"
        self._commitment = CommitmentRecord(
            commitment_id=payload.commitment_id,
            action=payload.action,
            authority_scope=payload.authority_scope,
            reason=payload.reason,
            outcome_positive=payload.outcome_positive,
            mode_version=payload.mode_version,
            policy_version=payload.policy_version,
            configuration_version=payload.configuration_version,
            supersedes=CommitmentRef(ref.session_id, ref.commitment_hash) if ref is not None else None,
            sender=envelope.sender,
        )

    def _note(self, kind: str, envelope: Envelope, subject_id: str, detail: str) -> None:
        self._anomalies.append(
            ProjectionAnomaly(
                kind, self.mode, envelope.message_type, envelope.message_id, envelope.sender, subject_id, detail
            )
        )

    @property
    def session_id(self) -> str:
        """The session this is about; empty until the first envelope when none was given."""
        return self._session_id

    @property
    def transcript(self) -> list[Envelope]:
        """Every envelope applied, once, in order."""
        return [*(self._placed[place] for place in sorted(self._placed)), *self._unplaced]

    @property
    def last_sequence(self) -> int:
        """The history is known without a gap up to here; 0 while only own messages are known."""
        return self._complete_to

    @property
    def anomalies(self) -> list[ProjectionAnomaly]:
        """What was left out, and why: empty for everything that a conforming server has accepted."""
        return self._anomalies

    @property
    def session_start(self) -> SessionStartRecord | None:
        """What the session was bound to at its start; None when the start was not seen."""
        return self._start

    @property
    def participants(self) -> tuple[str, ...]:
        """Who takes part; empty when the start was not seen."""
        return self._start.participants if self._start else ()

    @property
    def initiator(self) -> str:
        """Who started the session; empty when the start was not seen."""
        return self._start.initiator if self._start else ""

    @property
    def frozen_context(self) -> bytes | None:
        """The bytes given as `context` at the start; None without them, or when the start was not seen."""
        return self._start.context if self._start else None

    @property
    def session_state(self) -> str:
        """OPEN, SUSPENDED, CANCELLED or RESOLVED, as far as the envelopes tell; expiry is not an envelope."""
        return self._session_state

    @property
    def commitment(self) -> CommitmentRecord | None:
        """The Commitment, once there is one."""
        return self._commitment

    @property
    def is_committed(self) -> bool:
        """True once the session has its Commitment."""
        return self._commitment is not None

    @property
    def is_positive_outcome(self) -> bool:
        """True when the Commitment says that it came to something."""
        return self._commitment is not None and self._commitment.outcome_positive

    @property
    def phase(self) -> str:
        """The phase, in the mode's own words; Committed at the end."""
        return "Committed" if self.is_committed else self._open_phase()
