// The complete public surface: named exports only. First what most programs need.

export { Auth, type AuthConfig } from './auth.js';
export { MacpClient, type MacpClientOptions, type SendOptions } from './client/client.js';
export {
  type ContextContent,
  contextJson,
  contextText,
  type EncodedContext,
  encodeContext,
} from './handoff/context-content.js';
export type { HandOverOptions } from './handoff/hand-over.js';
export type {
  AcceptInput,
  CommitInput,
  ContextInput,
  DeclineInput,
  OfferInput,
} from './handoff/inputs.js';
export { HandoffProjection } from './handoff/projection.js';
export type {
  DetailedPhase,
  HandoffContextRecord,
  HandoffPhase,
  HandoffRecord,
  HandoffStatus,
} from './handoff/records.js';
export { HandoffSession } from './handoff/session.js';
export type { WaitOptions } from './handoff/wait-for-answer.js';
export { buildHandoffPolicy, type HandoffPolicyRules } from './policy/handoff-policy.js';
export type { OutcomeDetails, OutcomeInput, Speaker, StartInput } from './session/inputs.js';
export type { ModeSession, SessionOptions } from './session/session.js';

// The other modes.

export type {
  EvaluateInput,
  ObjectionInput,
  ProposeInput,
  VoteInput,
} from './decision/inputs.js';
export { DecisionProjection } from './decision/projection.js';
export type {
  DecisionEvaluationRecord,
  DecisionObjectionRecord,
  DecisionProposalRecord,
  DecisionVoteRecord,
} from './decision/records.js';
export { DecisionSession } from './decision/session.js';
export {
  type ContributionRecord,
  type MultiRoundPhase,
  MultiRoundProjection,
} from './multi-round/projection.js';
export { type ContributeInput, MultiRoundSession } from './multi-round/session.js';
export type { PolicyCommitmentRules } from './policy/build-policy.js';
export { buildDecisionPolicy, type DecisionPolicyRules } from './policy/decision-policy.js';
export { buildProposalPolicy, type ProposalPolicyRules } from './policy/proposal-policy.js';
export { buildQuorumPolicy, type QuorumPolicyRules } from './policy/quorum-policy.js';
export { buildTaskPolicy, type TaskPolicyRules } from './policy/task-policy.js';
export type {
  CounterProposalInput,
  ProposalAnswerInput,
  ProposalInput,
  ProposalRejectInput,
} from './proposal/inputs.js';
export { ProposalProjection } from './proposal/projection.js';
export type {
  ProposalAcceptRecord,
  ProposalPhase,
  ProposalRecord,
  ProposalRejectRecord,
  ProposalStatus,
} from './proposal/records.js';
export { ProposalSession } from './proposal/session.js';
export type { ApprovalRequestInput, BallotInput } from './quorum/inputs.js';
export { QuorumProjection } from './quorum/projection.js';
export type { ApprovalRequestRecord, BallotRecord, QuorumPhase } from './quorum/records.js';
export { QuorumSession } from './quorum/session.js';
export { effectiveQuorumThreshold } from './quorum/threshold.js';
export { ANOMALY_KINDS, type AnomalyKind, type ProjectionAnomaly } from './session/anomaly.js';
export { SessionProjection } from './session/projection.js';
export type {
  TaskAnswerInput,
  TaskCompleteInput,
  TaskFailInput,
  TaskRequestInput,
  TaskUpdateInput,
} from './task/inputs.js';
export { TaskProjection } from './task/projection.js';
export type {
  TaskCompletionRecord,
  TaskFailureRecord,
  TaskPhase,
  TaskRecord,
  TaskStatus,
  TaskUpdateRecord,
} from './task/records.js';
export { TaskSession } from './task/session.js';

// Errors, the codes in them, and trying again.

export { DEFAULT_RETRY_POLICY, type RetryPolicy, retrySend } from './client/retry.js';
export {
  AGENT_NOT_FOUND,
  DUPLICATE_MESSAGE,
  FORBIDDEN,
  HISTORY_UNAVAILABLE,
  INTERNAL_ERROR,
  INVALID_ENVELOPE,
  INVALID_POLICY_DEFINITION,
  INVALID_REQUEST,
  INVALID_SESSION_ID,
  MODE_NOT_SUPPORTED,
  PAYLOAD_TOO_LARGE,
  POLICY_DENIED,
  RATE_LIMITED,
  RECEIPT_UNAVAILABLE,
  REGISTRY_READ_ONLY,
  SESSION_ALREADY_EXISTS,
  SESSION_NOT_FOUND,
  SESSION_NOT_OPEN,
  STREAM_LAGGED,
  UNAUTHENTICATED,
  UNKNOWN_POLICY_VERSION,
  UNSUPPORTED_PROTOCOL_VERSION,
} from './error-codes.js';
export {
  type AckFailure,
  type ErrorDetails,
  MacpAckError,
  MacpClosedError,
  MacpConnectionError,
  MacpIdentityMismatchError,
  MacpRetryError,
  MacpSdkError,
  MacpSessionEndedError,
  MacpSessionError,
  MacpTimeoutError,
  MacpTooLargeError,
  MacpTransportError,
  MacpUnknownSessionError,
  MacpUnsupportedError,
} from './errors.js';
export type { PolicyDenial } from './refusal-details.js';

// Receipts, and what would have been.

export type {
  WhatIfEntry,
  WhatIfEntryOutcome,
  WhatIfOutcome,
  WhatIfResult,
} from './client/what-if.js';
export {
  type DecisionReceipt,
  type ReceiptReport,
  type TrustedReceiptKey,
  trustedKeysOf,
  verifyReceipt,
} from './receipts/verify-receipt.js';

// Streams and watchers.

export type { WatchOptions } from './client/watches.js';
export { MacpStream } from './stream/macp-stream.js';
export type { SequencedEnvelope, SubscribeOptions } from './stream/subscribe.js';
export type { ReconnectPolicy } from './transport/backoff.js';
export {
  isSessionCancelled,
  isSessionCreated,
  isSessionExpired,
  isSessionResolved,
  isSessionResumed,
  isSessionSuspended,
  isTerminalSessionLifecycleEvent,
  TERMINAL_SESSION_LIFECYCLE_EVENT_TYPES,
} from './watch/lifecycle-predicates.js';
export { ModeRegistryWatcher, PolicyWatcher, RootsWatcher } from './watch/registry-watchers.js';
export { SessionLifecycleWatcher } from './watch/session-lifecycle-watcher.js';
export { SignalWatcher } from './watch/signal-watcher.js';
export type { WatcherOptions } from './watch/watcher.js';

// Agents.

export { type ActionsOf, ParticipantActions, SessionActions } from './agent/actions.js';
export { type BootstrapDocument, type BootstrapInitiator, fromBootstrap } from './agent/bootstrap.js';
export type {
  HandlerContext,
  HandlerOf,
  IncomingMessage,
  MessageHandler,
  PhaseChange,
  PhaseHandler,
  PhaseOf,
  TerminalHandler,
  TerminalResult,
} from './agent/handlers.js';
export type { AgentMode, HandoffModeName, SessionsByMode } from './agent/modes.js';
export {
  type InitiatorPlan,
  Participant,
  type ParticipantOptions,
  type Strategy,
} from './agent/participant.js';
export {
  type AcceptOptions,
  acceptWhen,
  type HandoffPredicate,
  type OfferedHandoff,
} from './agent/strategies/accept-when.js';
export { declineWhenBusy } from './agent/strategies/answer.js';
export { type EscalationOptions, escalate } from './agent/strategies/escalate.js';
export { GrpcTransportAdapter, type TransportAdapter } from './agent/transport-adapter.js';

// A worker, and the inbox.

export type { ContextWait, Waited } from './handoff/context-clock.js';
export type {
  AnsweredOffer,
  Decide,
  Decision,
  WorkerFailure,
  WorkerOffer,
  WorkerStats,
} from './worker/decision.js';
export { fileJournal } from './worker/file-journal.js';
export type { OfferKey, WorkerJournal } from './worker/journal.js';
export type { OfferContext, OpenOffer } from './worker/offer.js';
export { type OpenOffersOptions, openOffers } from './worker/open-offers.js';
export type { HandoffWorkerOptions } from './worker/options.js';
export { HandoffWorker } from './worker/worker.js';

// For those who build envelopes themselves.

export { MACP_VERSION } from '@handover/core';
export { validateRequiredField } from './arguments.js';
export {
  CONTEXT_EXTENSION_KEY,
  DEFAULT_CONFIGURATION_VERSION,
  DEFAULT_MODE_VERSION,
  DEFAULT_POLICY_VERSION,
  MAX_PARTICIPANTS,
  MAX_TTL_MS,
  MODE_DECISION,
  MODE_HANDOFF,
  MODE_MULTI_ROUND,
  MODE_PROPOSAL,
  MODE_QUORUM,
  MODE_TASK,
  STANDARD_MODES,
  VERSION,
} from './constants.js';
export {
  buildCommitmentPayload,
  buildCommitmentRef,
  buildEnvelope,
  buildProgressPayload,
  buildRoot,
  buildSessionStartPayload,
  buildSignalPayload,
  type EnvelopeInput,
  parseMessage,
  serializeMessage,
} from './envelope/build.js';
export { commitmentHash } from './envelope/commitment-hash.js';
export { newCommitmentId, newMessageId, newSessionId, nowUnixMs } from './envelope/ids.js';
export { inferOutcomePositive } from './envelope/outcome.js';
export { configureLogging, LOG_LEVELS, type Log, type LogLevel, type LogSink } from './logging.js';
export {
  type SessionStartInput,
  validateBytes,
  validateCommitmentRef,
  validateConfidence,
  validateFinite,
  validateId,
  validateMaxSuspendMs,
  validateParticipantCount,
  validateParticipants,
  validateSessionId,
  validateSessionStart,
  validateSignalType,
  validateTtlMs,
  validateUnixMs,
  validateWord,
} from './validation.js';

// Shapes that the methods above take and return.

export type { ProgressInput, SignalInput } from './client/ambient.js';
export {
  type AgentManifest,
  type InitializeResult,
  LIFECYCLE_EVENT_TYPES,
  type LifecycleEventType,
  type ParticipantActivity,
  type PoliciesChanged,
  type PolicyDescriptor,
  type ReceiptKeys,
  type ReceiptText,
  type RegistryChanged,
  type RegistryResult,
  type RootsChanged,
  type RuntimeCapabilities,
  type RuntimeInfo,
  type SessionLifecycleEvent,
  type SessionMetadata,
  type SessionsPage,
  type TransportEndpoint,
} from './client/types.js';
export type {
  Ack,
  AckError,
  CommitmentPayload,
  CommitmentRef,
  Envelope,
  ModeDescriptor,
  Root,
  SessionStartPayload,
  SessionStateName,
} from './shapes.js';
export type { CallOptions } from './transport/call-options.js';
export type { ChannelSettings } from './transport/channel.js';
