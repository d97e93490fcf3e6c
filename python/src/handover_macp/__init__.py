"""Client of MACP. Each mode has its session and projection here; `handover_macp.aio` has the asyncio versions.

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
    MODE_DECISION,
    MODE_HANDOFF,
    MODE_MULTI_ROUND,
    MODE_PROPOSAL,
    MODE_QUORUM,
    MODE_TASK,
    STANDARD_MODES,
)
from .decision import DecisionProjection, DecisionSession
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
from .handoff import HandoffContextRecord, HandoffOfferRecord, HandoffProjection, HandoffSession
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
from .multi_round import MultiRoundProjection, MultiRoundSession
from .policy import (
    AbstentionRules,
    CommitmentRules,
    EvaluationRules,
    HandoffAcceptanceRules,
    ObjectionHandlingRules,
    QuorumThreshold,
    VotingRules,
    build_decision_policy,
    build_handoff_policy,
    build_proposal_policy,
    build_quorum_policy,
    build_task_policy,
)
from .proposal import ProposalProjection, ProposalSession
from .quorum import QuorumProjection, QuorumSession, effective_quorum_threshold
from .retry import RetryPolicy, retry_send
from .session import CommitmentRecord, ProjectionAnomaly, SessionProjection, SessionStartRecord, Speaker
from .stream import MacpStream, Watcher
from .task import TaskProjection, TaskSession
from .version import VERSION

__all__ = [
    "AuthConfig",
    "MacpClient",
    "DecisionSession",
    "HandoffSession",
    "MultiRoundSession",
    "ProposalSession",
    "QuorumSession",
    "TaskSession",
    "Speaker",
    # What is known of a session
    "SessionProjection",
    "DecisionProjection",
    "HandoffProjection",
    "MultiRoundProjection",
    "ProposalProjection",
    "QuorumProjection",
    "TaskProjection",
    "ProjectionAnomaly",
    "HandoffOfferRecord",
    "HandoffContextRecord",
    "CommitmentRecord",
    "SessionStartRecord",
    # Policies
    "build_decision_policy",
    "build_handoff_policy",
    "build_proposal_policy",
    "build_quorum_policy",
    "build_task_policy",
    "AbstentionRules",
    "CommitmentRules",
    "EvaluationRules",
    "HandoffAcceptanceRules",
    "ObjectionHandlingRules",
    "QuorumThreshold",
    "VotingRules",
    "effective_quorum_threshold",
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
    "MODE_DECISION",
    "MODE_HANDOFF",
    "MODE_MULTI_ROUND",
    "MODE_PROPOSAL",
    "MODE_QUORUM",
    "MODE_TASK",
    "STANDARD_MODES",
    "VERSION",
]
