"""What the server answers, as plain typed values: times are integers in milliseconds, enums are short names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


def _enum(name: str, prefix: str) -> str:
    return field(default="UNSPECIFIED", metadata={"enum": name, "prefix": prefix})


def _state() -> str:
    return _enum("macp.v1.SessionState", "SESSION_STATE_")


@dataclass(frozen=True)
class Envelope:
    """One message of the protocol; `payload` is its encoded content."""

    macp_version: str = ""
    """The version of the protocol."""
    mode: str = ""
    """The mode of the session; empty for a signal."""
    message_type: str = ""
    """Which message of the mode, such as `HandoffOffer`."""
    message_id: str = ""
    """Unique in its session: what is sent again under the same id counts once."""
    session_id: str = ""
    """The session that it is said in."""
    sender: str = ""
    """Who says it."""
    timestamp_unix_ms: int = 0
    """By the sender's clock."""
    payload: bytes = b""


@dataclass(frozen=True)
class AckFailure:
    """Why a message was refused; `details` is JSON text where the server gives more."""

    code: str = ""
    """The code of the protocol; `handover_macp.error_codes` has them."""
    message: str = ""
    """The same for people."""
    session_id: str = ""
    """The session that was meant."""
    message_id: str = ""
    """The message that was refused."""
    details: bytes = b""


@dataclass(frozen=True)
class Ack:
    """The server's answer to one message. A duplicate is a success: the message is in the history once."""

    ok: bool = False
    """Whether the message was accepted."""
    duplicate: bool = False
    """True when the server had the message already."""
    message_id: str = ""
    """The message that is answered."""
    session_id: str = ""
    """Its session."""
    accepted_at_unix_ms: int = 0
    """By the server's clock."""
    session_state: str = _state()
    """Whether the session is open now, suspended, or how it ended."""
    error: AckFailure | None = None
    """Why it was refused; None when it was not."""


@dataclass(frozen=True)
class Root:
    """A named location that bounds what a session is about."""

    uri: str = ""
    """Where it is."""
    name: str = ""
    """What people call it."""


@dataclass(frozen=True)
class CommitmentRef:
    """Names a Commitment of another session by its hash, `sha256:` and 64 hex digits."""

    session_id: str = ""
    """The session of the earlier Commitment."""
    commitment_hash: str = ""
    """What `commitment_hash` makes of it."""


@dataclass(frozen=True)
class ParticipantActivity:
    """How often and when last a participant was heard in a session."""

    participant_id: str = ""
    """Who."""
    last_message_at_unix_ms: int = 0
    """When the last message was accepted; 0 before the first."""
    message_count: int = 0
    """How many were accepted."""


@dataclass(frozen=True)
class SessionMetadata:
    """What the server tells about a session; `state` is OPEN, SUSPENDED, RESOLVED, EXPIRED or CANCELLED."""

    session_id: str = ""
    """The session's id."""
    mode: str = ""
    """The mode whose rules hold."""
    state: str = _state()
    started_at_unix_ms: int = 0
    """When it was started, by the server's clock."""
    expires_at_unix_ms: int = 0
    """When its time is over; a suspension moves it."""
    mode_version: str = ""
    """The mode version that it is bound to."""
    configuration_version: str = ""
    """The configuration that it is bound to."""
    policy_version: str = ""
    """The policy that it is bound to."""
    participants: tuple[str, ...] = ()
    """Who takes part."""
    participant_activity: tuple[ParticipantActivity, ...] = ()
    """Filled by `get_session` only."""
    initiator: str = ""
    """Who started it."""
    context_id: str = ""
    """What the initiator called its context; may be empty."""
    extension_keys: tuple[str, ...] = ()
    """The names of its extensions; their bytes are in the SessionStart."""


@dataclass(frozen=True)
class SessionPage:
    """One page of a list; the list is complete when `next_page_token` is empty."""

    sessions: tuple[SessionMetadata, ...] = ()
    """What is on this page."""
    next_page_token: str = ""


@dataclass(frozen=True)
class SessionEvent:
    """A change in a session's life: CREATED, RESOLVED, EXPIRED, SUSPENDED, RESUMED or CANCELLED."""

    event_type: str = _enum("macp.v1.SessionLifecycleEvent.EventType", "EVENT_TYPE_")
    """What happened."""
    session: SessionMetadata = SessionMetadata()
    """The session as it is after that."""
    observed_at_unix_ms: int = 0
    """When the server saw it."""

    @property
    def is_terminal(self) -> bool:
        """True when the session can never change again."""
        return self.event_type in ("RESOLVED", "EXPIRED", "CANCELLED")


@dataclass(frozen=True)
class RuntimeInfo:
    """Name and version of the server."""

    name: str = ""
    """The program's name."""
    title: str = ""
    """Its name for people."""
    version: str = ""
    """Its version."""
    description: str = ""
    """What it is."""
    website_url: str = ""
    """Where to read about it."""


@dataclass(frozen=True)
class InitializeResult:
    """What was negotiated; `capabilities` holds the server's switches by group and name."""

    selected_protocol_version: str = ""
    """The version that both speak."""
    runtime_info: RuntimeInfo = RuntimeInfo()
    """Which program answered."""
    capabilities: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    supported_modes: tuple[str, ...] = ()
    """The modes that it serves."""
    instructions: str = ""
    """Words of whoever runs it; often empty."""


@dataclass(frozen=True)
class TransportEndpoint:
    """One address at which an agent is reached."""

    transport: str = ""
    """The kind of transport."""
    uri: str = ""
    """The address."""
    content_types: tuple[str, ...] = ()
    """Media types that are understood there."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Whatever else is said of it."""


@dataclass(frozen=True)
class AgentManifest:
    """What an agent says of itself."""

    agent_id: str = ""
    """The agent's name."""
    title: str = ""
    """Its name for people."""
    description: str = ""
    """What it is for."""
    supported_modes: tuple[str, ...] = ()
    """The modes that it speaks."""
    input_content_types: tuple[str, ...] = ()
    """Media types that it can read."""
    output_content_types: tuple[str, ...] = ()
    """Media types that it writes."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Whatever else it says of itself."""
    transport_endpoints: tuple[TransportEndpoint, ...] = ()
    """Where it can be reached."""


@dataclass(frozen=True)
class ModeDescriptor:
    """A mode as the registry describes it."""

    mode: str = ""
    """The mode's identifier."""
    mode_version: str = ""
    """Its version."""
    title: str = ""
    """Its name for people."""
    description: str = ""
    """What it is for."""
    determinism_class: str = ""
    """What a replay of its messages may depend on."""
    participant_model: str = ""
    """Who speaks in it, and to whom."""
    message_types: tuple[str, ...] = ()
    """Every message that it has."""
    terminal_message_types: tuple[str, ...] = ()
    """Those that end a session."""
    schema_uris: Mapping[str, str] = field(default_factory=dict)
    """Where its schemas are, by kind."""


@dataclass(frozen=True)
class PolicyDescriptor:
    """A policy; `rules` is JSON text, `mode` may be `*`."""

    policy_id: str = ""
    """Its id: what sessions name as `policy_version`."""
    mode: str = ""
    description: str = ""
    """For people."""
    rules: str = ""
    schema_version: int = 0
    """Which keys the rules may have, and what they mean."""
    registered_at_unix_ms: int = 0
    """Set by the server."""


@dataclass(frozen=True)
class RegistryResult:
    """The answer to a change of a registry; `error` says why when `ok` is false."""

    ok: bool = False
    error: str = ""
    mode: str = ""
    """The mode that was changed, where it is one."""


@dataclass(frozen=True)
class RegistryChange:
    """A hint that a registry has changed; read it again to see how."""

    registry: str = ""
    """Which registry."""
    observed_at_unix_ms: int = 0
    """When the server saw it."""


@dataclass(frozen=True)
class RootsChange:
    """A hint that the roots have changed."""

    observed_at_unix_ms: int = 0
    """When the server saw it."""


@dataclass(frozen=True)
class PolicyList:
    """All policies at one moment."""

    descriptors: tuple[PolicyDescriptor, ...] = ()
    """All that there are."""
    observed_at_unix_ms: int = 0
    """When the server saw it."""
