/** The complete public surface: named exports only. What most programs need comes first. */

export type {
  CommitmentPayload,
  CommitmentRef,
  Envelope,
  ModeDescriptor,
  Root,
  SessionStartPayload,
} from '@handover/core';
export { MACP_VERSION } from '@handover/core';
export type { Ack, AckError, SessionStateName } from '@handover/wire';
// Agents.
export { ParticipantActions } from './agent/actions.js';
export { type BootstrapDocument, type BootstrapInitiator, fromBootstrap } from './agent/bootstrap.js';
export type {
  HandlerContext,
  HandlerOf,
  IncomingMessage,
  MessageHandler,
  PhaseChange,
  PhaseHandler,
  TerminalHandler,
  TerminalResult,
} from './agent/handlers.js';
export {
  type InitiatorPlan,
  Participant,
  type ParticipantOptions,
  type Strategy,
} from './agent/participant.js';
export {
  type AcceptOptions,
  acceptWhen,
  declineWhenBusy,
  type HandoffPredicate,
  type OfferedHandoff,
} from './agent/strategies/answer.js';
export { type EscalationOptions, escalate } from './agent/strategies/escalate.js';
export { GrpcTransportAdapter, type TransportAdapter } from './agent/transport-adapter.js';
export { Auth, type AuthConfig } from './auth.js';
// Shapes that the methods above take and return.
export type { ProgressInput, SignalInput } from './client/ambient.js';
export { MacpClient, type MacpClientOptions, type SendOptions } from './client/client.js';
export { DEFAULT_RETRY_POLICY, type RetryPolicy, retrySend } from './client/retry.js';
export {
  type AgentManifest,
  type InitializeResult,
  LIFECYCLE_EVENT_TYPES,
  type LifecycleEventType,
  type ParticipantActivity,
  type PoliciesChanged,
  type PolicyDescriptor,
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
export type { WatchOptions } from './client/watches.js';
// For those who build envelopes themselves.
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
export {
  DUPLICATE_MESSAGE,
  FORBIDDEN,
  INTERNAL_ERROR,
  INVALID_ENVELOPE,
  INVALID_POLICY_DEFINITION,
  INVALID_SESSION_ID,
  MODE_NOT_SUPPORTED,
  PAYLOAD_TOO_LARGE,
  POLICY_DENIED,
  RATE_LIMITED,
  SESSION_ALREADY_EXISTS,
  SESSION_NOT_FOUND,
  SESSION_NOT_OPEN,
  UNAUTHENTICATED,
  UNKNOWN_POLICY_VERSION,
  UNSUPPORTED_PROTOCOL_VERSION,
} from './error-codes.js';
// Errors, and the codes in them.
export {
  type AckFailure,
  MacpAckError,
  MacpIdentityMismatchError,
  MacpRetryError,
  MacpSdkError,
  MacpSessionError,
  MacpTimeoutError,
  MacpTransportError,
} from './errors.js';
export type {
  AcceptInput,
  CommitInput,
  ContextInput,
  DeclineInput,
  OfferInput,
  Speaker,
  StartInput,
} from './handoff/inputs.js';
export { HandoffProjection } from './handoff/projection.js';
export type {
  DetailedPhase,
  HandoffContextRecord,
  HandoffPhase,
  HandoffRecord,
  HandoffStatus,
} from './handoff/records.js';
export { HandoffSession, type HandoffSessionOptions } from './handoff/session.js';
export { configureLogging, LOG_LEVELS, type Log, type LogLevel, type LogSink } from './logging.js';
export { buildHandoffPolicy, type HandoffPolicyRules } from './policy/handoff-policy.js';
// Streams and watchers.
export { MacpStream } from './stream/macp-stream.js';
export type { SequencedEnvelope, SubscribeOptions } from './stream/subscribe.js';
export type { ReconnectPolicy } from './transport/backoff.js';
export type { CallOptions } from './transport/call-options.js';
export type { ChannelSettings } from './transport/channel.js';
export {
  type SessionStartInput,
  validateCommitmentRef,
  validateConfidence,
  validateId,
  validateMaxSuspendMs,
  validateParticipantCount,
  validateParticipants,
  validateRequiredField,
  validateSessionId,
  validateSessionStart,
  validateSignalType,
  validateTtlMs,
} from './validation.js';
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
