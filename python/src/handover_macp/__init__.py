"""Client of MACP Handoff Mode. `handover_macp.handoff` has the session helper, `handover_macp.aio` the asyncio versions.

This file is the public surface: users first, builders of tools below. Modules whose name begins with `_` are private.
"""

from ._reconnect import ReconnectPolicy
from .auth import AuthConfig
from .client import MacpClient
from .commitment_hash import commitment_hash
from .constants import (
    CONTEXT_EXTENSION,
    DEFAULT_CONFIGURATION_VERSION,
    DEFAULT_MODE_VERSION,
    DEFAULT_POLICY_VERSION,
    MACP_VERSION,
    MODE_HANDOFF,
)
from .envelopes import (
    build_envelope,
    decode_payload,
    encode_payload,
    infer_outcome_positive,
    new_commitment_id,
    new_message_id,
    new_session_id,
    now_unix_ms,
)
from .errors import (
    MacpAckError,
    MacpIdentityMismatchError,
    MacpRetryError,
    MacpSdkError,
    MacpSessionError,
    MacpTimeoutError,
    MacpTransportError,
)
from .handoff import HandoffSession
from .models import (
    Ack,
    AckFailure,
    AgentManifest,
    CommitmentRef,
    Envelope,
    InitializeResult,
    ModeDescriptor,
    ParticipantActivity,
    PolicyDescriptor,
    PolicyList,
    RegistryChange,
    RegistryResult,
    Root,
    RootsChange,
    RuntimeInfo,
    SessionEvent,
    SessionMetadata,
    SessionPage,
    TransportEndpoint,
)
from .policy import CommitmentRules, HandoffAcceptanceRules, build_handoff_policy
from .projection import HandoffProjection
from .records import CommitmentRecord, HandoffContextRecord, HandoffOfferRecord, SessionStartRecord
from .retry import RetryPolicy, retry_send
from .stream import MacpStream, Watcher
from .version import VERSION

__all__ = [
    "AuthConfig",
    "MacpClient",
    "HandoffSession",
    "HandoffProjection",
    "HandoffOfferRecord",
    "HandoffContextRecord",
    "CommitmentRecord",
    "SessionStartRecord",
    "build_handoff_policy",
    "HandoffAcceptanceRules",
    "CommitmentRules",
    "CommitmentRef",
    "commitment_hash",
    "Root",
    "MacpStream",
    "Watcher",
    "ReconnectPolicy",
    "RetryPolicy",
    "retry_send",
    "MacpSdkError",
    "MacpSessionError",
    "MacpIdentityMismatchError",
    "MacpTransportError",
    "MacpTimeoutError",
    "MacpRetryError",
    "MacpAckError",
    # Results
    "Ack",
    "AckFailure",
    "AgentManifest",
    "InitializeResult",
    "ModeDescriptor",
    "ParticipantActivity",
    "PolicyDescriptor",
    "PolicyList",
    "RegistryChange",
    "RegistryResult",
    "RootsChange",
    "RuntimeInfo",
    "SessionEvent",
    "SessionMetadata",
    "SessionPage",
    "TransportEndpoint",
    # For builders of tools
    "Envelope",
    "build_envelope",
    "encode_payload",
    "decode_payload",
    "infer_outcome_positive",
    "new_session_id",
    "new_message_id",
    "new_commitment_id",
    "now_unix_ms",
    "CONTEXT_EXTENSION",
    "DEFAULT_CONFIGURATION_VERSION",
    "DEFAULT_MODE_VERSION",
    "DEFAULT_POLICY_VERSION",
    "MACP_VERSION",
    "MODE_HANDOFF",
    "VERSION",
]
