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
    mode: str = ""
    message_type: str = ""
    message_id: str = ""
    session_id: str = ""
    sender: str = ""
    timestamp_unix_ms: int = 0
    payload: bytes = b""


@dataclass(frozen=True)
class AckFailure:
    """Why a message was refused; `details` is JSON text where the server gives more."""

    code: str = ""
    message: str = ""
    session_id: str = ""
    message_id: str = ""
    details: bytes = b""


@dataclass(frozen=True)
class Ack:
    """The server's answer to one message. A duplicate is a success: the message is in the history once."""

    ok: bool = False
    duplicate: bool = False
    message_id: str = ""
    session_id: str = ""
    accepted_at_unix_ms: int = 0
    session_state: str = _state()
    error: AckFailure | None = None


@dataclass(frozen=True)
class Root:
    """A named location that bounds what a session is about."""

    uri: str = ""
    name: str = ""


@dataclass(frozen=True)
class CommitmentRef:
    """Names a Commitment of another session by its hash, `sha256:` and 64 hex digits."""

    session_id: str = ""
    commitment_hash: str = ""


@dataclass(frozen=True)
class ParticipantActivity:
    """How often and when last a participant was heard in a session."""

    participant_id: str = ""
    last_message_at_unix_ms: int = 0
    message_count: int = 0


@dataclass(frozen=True)
class SessionMetadata:
    """What the server tells about a session; `state` is OPEN, SUSPENDED, RESOLVED, EXPIRED or CANCELLED."""

    session_id: str = ""
    mode: str = ""
    state: str = _state()
    started_at_unix_ms: int = 0
    expires_at_unix_ms: int = 0
    mode_version: str = ""
    configuration_version: str = ""
    policy_version: str = ""
    participants: tuple[str, ...] = ()
    participant_activity: tuple[ParticipantActivity, ...] = ()
    initiator: str = ""
    context_id: str = ""
    extension_keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class SessionPage:
    """One page of a list; the list is complete when `next_page_token` is empty."""

    sessions: tuple[SessionMetadata, ...] = ()
    next_page_token: str = ""


@dataclass(frozen=True)
class SessionEvent:
    """A change in a session's life: CREATED, RESOLVED, EXPIRED, SUSPENDED, RESUMED or CANCELLED."""

    event_type: str = _enum("macp.v1.SessionLifecycleEvent.EventType", "EVENT_TYPE_")
    session: SessionMetadata = SessionMetadata()
    observed_at_unix_ms: int = 0

    @property
    def is_terminal(self) -> bool:
        """True when the session can never change again."""
        return self.event_type in ("RESOLVED", "EXPIRED", "CANCELLED")


@dataclass(frozen=True)
class RuntimeInfo:
    """Name and version of the server."""

    name: str = ""
    title: str = ""
    version: str = ""
    description: str = ""
    website_url: str = ""


@dataclass(frozen=True)
class InitializeResult:
    """What was negotiated; `capabilities` holds the server's switches by group and name."""

    selected_protocol_version: str = ""
    runtime_info: RuntimeInfo = RuntimeInfo()
    capabilities: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    supported_modes: tuple[str, ...] = ()
    instructions: str = ""


@dataclass(frozen=True)
class TransportEndpoint:
    """One address at which an agent is reached."""

    transport: str = ""
    uri: str = ""
    content_types: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class AgentManifest:
    """What an agent says of itself."""

    agent_id: str = ""
    title: str = ""
    description: str = ""
    supported_modes: tuple[str, ...] = ()
    input_content_types: tuple[str, ...] = ()
    output_content_types: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    transport_endpoints: tuple[TransportEndpoint, ...] = ()


@dataclass(frozen=True)
class ModeDescriptor:
    """A mode as the registry describes it."""

    mode: str = ""
    mode_version: str = ""
    title: str = ""
    description: str = ""
    determinism_class: str = ""
    participant_model: str = ""
    message_types: tuple[str, ...] = ()
    terminal_message_types: tuple[str, ...] = ()
    schema_uris: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PolicyDescriptor:
    """A policy; `rules` is JSON text, `mode` may be `*`."""

    policy_id: str = ""
    mode: str = ""
    description: str = ""
    rules: str = ""
    schema_version: int = 0
    registered_at_unix_ms: int = 0


@dataclass(frozen=True)
class RegistryResult:
    """The answer to a change of a registry; `error` says why when `ok` is false."""

    ok: bool = False
    error: str = ""
    mode: str = ""


@dataclass(frozen=True)
class RegistryChange:
    """A hint that a registry has changed; read it again to see how."""

    registry: str = ""
    observed_at_unix_ms: int = 0


@dataclass(frozen=True)
class RootsChange:
    """A hint that the roots have changed."""

    observed_at_unix_ms: int = 0


@dataclass(frozen=True)
class PolicyList:
    """All policies at one moment."""

    descriptors: tuple[PolicyDescriptor, ...] = ()
    observed_at_unix_ms: int = 0
