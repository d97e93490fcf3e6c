export { atOnce } from './at-once.js';
export { ownMessageId } from './bound-session/own-messages.js';
export { ownerMayCommit } from './bound-session/owner-may-commit.js';
export { ownerIn } from './bound-session/ownership.js';
export { sessionDecider } from './bound-session/session-decider.js';
export {
  bindingScope,
  holderOf,
  type Settlement,
  settlementOf,
  takeOverReason,
} from './bound-session/settlement.js';
export {
  CARRIER_TAKEN,
  type CarrierState,
  carrierDecider,
  carrierRef,
  contractCarrier,
  sessionCarrier,
} from './carrier/carrier-decider.js';
export { configurationDecider, MAX_BACKUPS } from './configuration/configuration-decider.js';
export {
  type ConfigurationBackup,
  type ConfigurationChanges,
  type ConfigurationCommand,
  type ConfigurationState,
  type ConfigurationValue,
  type ConfigurationValues,
  changesBetween,
  findBackup,
} from './configuration/state.js';
export {
  accepted,
  type DecideContext,
  type Decider,
  type Decision,
  type Listing,
  rejected,
  type SeenMessage,
  type Stamp,
} from './decider.js';
export type { Codec } from './envelope/codec.js';
export { corePayloads } from './envelope/core-payload-table.js';
export { CoreMessageType, type Envelope, MACP_VERSION, RUNTIME_MESSAGE_TYPES } from './envelope/envelope.js';
export { type EnvelopeReading, envelopeFromJson, envelopeToJson } from './envelope/json/envelope-json.js';
export { END_NAMES, meantField, POLICY_NAMES } from './envelope/json/misspelt.js';
export { type PayloadReading, payloadFromJson, payloadToJson } from './envelope/json/payload-json.js';
export { formatTimestamp, parseTimestamp } from './envelope/json/rfc3339.js';
export type { PayloadKind, PayloadTable } from './envelope/payload-kind.js';
export type * from './envelope/payloads.js';
export { checkShape, MAX_TIMESTAMP_MS } from './envelope/shape.js';
export { FAULT_WAIT_MS, FaultCode, type FaultNext, type FaultOptions, HandoverError } from './fault.js';
export { type Fields, isFields } from './fields.js';
export { canonicalHead, chainFlaw, entryHash, headOf, payloadFlaw, seal } from './log/chain.js';
export {
  type ChainHead,
  type Draft,
  type Entry,
  type EntryHead,
  GENESIS,
  MAX_ENTRIES_PER_STREAM,
  StreamKind,
  type StreamRef,
  streamKey,
} from './log/entry.js';
export { canonicalJson, type Json, type JsonObject } from './log/json.js';
export { OPERATOR, RESERVED_MESSAGE_ID_PREFIX, RUNTIME_ACTOR } from './log/runtime-draft.js';
export { decisionMode } from './modes/decision/decision-mode.js';
export { evolveDecision } from './modes/decision/evolve.js';
export { decisionFacts } from './modes/decision/facts.js';
export {
  DECISION_MODE,
  DecisionMessageType,
  Recommendation,
  Severity,
  VoteWord,
} from './modes/decision/messages.js';
export { type DecisionPayloads, decisionPayloads } from './modes/decision/payloads.js';
export { type DecisionPhase, type DecisionState, NO_PROPOSALS } from './modes/decision/state.js';
export { eraseMode } from './modes/erase-mode.js';
export { createExtensionMode } from './modes/extension/extension-mode.js';
export { findPayload, type PayloadsIn, payloadKind, unknownPayload } from './modes/find-payload.js';
export { evolveHandoff } from './modes/handoff/evolve.js';
export { handoffFacts } from './modes/handoff/facts.js';
export { handoffMode } from './modes/handoff/handoff-mode.js';
export {
  HANDOFF_MODE,
  HANDOFF_MODE_VERSION,
  HandoffMessageType,
  IMPLICIT_ACCEPT_PREFIX,
  IMPLICIT_DECLINE_PREFIX,
} from './modes/handoff/messages.js';
export { offersOf } from './modes/handoff/offers-of.js';
export {
  type HandoffAcceptPayload,
  type HandoffContextPayload,
  type HandoffDeclinePayload,
  type HandoffOfferPayload,
  type HandoffPayloads,
  handoffPayloads,
} from './modes/handoff/payloads.js';
export {
  HANDOVER_RULES,
  type HandoffRules,
  readHandoffRules,
  readRecordedHandoffRules,
} from './modes/handoff/policy-rules.js';
export {
  acceptedOffer,
  Disposition,
  findOffer,
  type HandoffState,
  NO_OFFERS,
  type Offer,
  openOffer,
} from './modes/handoff/state.js';
export type {
  Mode,
  ModeDecision,
  ModeDescriptor,
  ModeEntry,
  ModeTimer,
  SessionView,
} from './modes/mode.js';
export { contributionFacts } from './modes/multi-round/facts.js';
export { MULTI_ROUND_MODE, MultiRoundMessageType } from './modes/multi-round/messages.js';
export { multiRoundMode } from './modes/multi-round/multi-round-mode.js';
export { type MultiRoundPayloads, multiRoundPayloads } from './modes/multi-round/payloads.js';
export { readContribution } from './modes/multi-round/read-contribution.js';
export { evolveMultiRound } from './modes/multi-round/rules.js';
export { type MultiRoundState, NO_VALUES } from './modes/multi-round/state.js';
export { evolveProposal } from './modes/proposal/evolve.js';
export { proposalFacts } from './modes/proposal/facts.js';
export { PROPOSAL_MODE, ProposalMessageType } from './modes/proposal/messages.js';
export { type ProposalPayloads, proposalPayloads } from './modes/proposal/payloads.js';
export { type ProposalRules, STRICTEST_PROPOSAL_RULES } from './modes/proposal/policy-rules.js';
export { proposalMode } from './modes/proposal/proposal-mode.js';
export {
  acceptancesOf,
  isConverged,
  isRejectedForGood,
  NOTHING_PROPOSED,
  type ProposalState,
} from './modes/proposal/state.js';
export { evolveQuorum } from './modes/quorum/evolve.js';
export { quorumFacts } from './modes/quorum/facts.js';
export { QUORUM_MODE, QuorumMessageType } from './modes/quorum/messages.js';
export { type QuorumPayloads, quorumPayloads } from './modes/quorum/payloads.js';
export { QUORUM_RULE_KEYS, readQuorumRules } from './modes/quorum/policy-rules.js';
export { quorumMode } from './modes/quorum/quorum-mode.js';
export { type Ballot, effectiveThreshold, NO_REQUEST, type QuorumState } from './modes/quorum/state.js';
export {
  type AnyMode,
  BUILT_IN_MODES,
  type ModeName,
  type ModePayloads,
  type ModeRun,
} from './modes/registry.js';
export { rulesFlaws } from './modes/rules-flaws.js';
export { evolveTask } from './modes/task/evolve.js';
export { taskFacts } from './modes/task/facts.js';
export { TASK_MODE, TaskMessageType } from './modes/task/messages.js';
export { type TaskPayloads, taskPayloads } from './modes/task/payloads.js';
export { taskReady } from './modes/task/ready.js';
export { hasRejected, NO_TASK, type TaskState } from './modes/task/state.js';
export { taskMode } from './modes/task/task-mode.js';
export { treeEntries, treeGet } from './modes/tree.js';
export { normalForm, partingPlace } from './normal-form.js';
export * from './operation/index.js';
export * from './policy/descriptor.js';
export { KNOWN_SCHEMA_VERSIONS, mayCommit, mayControl } from './policy/evaluate.js';
export {
  CommitmentAuthority,
  type CommitmentRules,
  type RulesReading,
} from './policy/rules.js';
export { RulesRev } from './policy/rules-rev.js';
export { readCanonical } from './proof/canonical-text.js';
export { commitmentHash } from './proof/commitment-hash.js';
export { envelopeOfEntry } from './proof/entry-envelope.js';
export { createExportWriter, EXPORT_FORMAT, exportEntry, exportOf } from './proof/export.js';
export type { Flaw } from './proof/flaw.js';
export { compareMacpReceipt } from './proof/macp-receipt/compare-macp-receipt.js';
export {
  MacpReceiptFold,
  type MacpReceiptResult,
  type MacpReceiptSigner,
  noMacpReceipt,
  signMacpReceipt,
} from './proof/macp-receipt/make-macp-receipt.js';
export { MACP_RECEIPT_FORMAT, type MacpReceipt } from './proof/macp-receipt/receipt.js';
export {
  type CheckedAttestation,
  type MacpReceiptReport,
  type TrustedKey,
  verifyMacpReceipt,
} from './proof/macp-receipt/verify-macp-receipt.js';
export { makeReceipt, ReceiptFold, type ReceiptResult } from './proof/make-receipt.js';
export {
  OPERATION_RECEIPT_FORMAT,
  type OperationReceipt,
  operationReceiptDigest,
  type ReceiptPoint,
  signOperationReceipt,
} from './proof/operation-receipt.js';
export { OPERATION_RECEIPT_FORMAT_1 } from './proof/operation-receipt-1.js';
export { type ReadExport, readExport } from './proof/read-export.js';
export {
  RECEIPT_FORMAT,
  RECEIPT_FORMAT_1,
  type Receipt,
  type ReceiptBody,
  type ReceiptSigner,
  signReceipt,
} from './proof/receipt.js';
export { stateHash, stateProjection } from './proof/state-hash.js';
export {
  type FlawedStream,
  type SoundStream,
  StreamAudit,
  type StreamVerdict,
  verifyStream,
} from './proof/stream-audit.js';
export {
  type AnyOperationReceipt,
  compareOperationReceipt,
  isOperationReceipt,
  supersedingFlaw,
  verifyOperationReceipt,
} from './proof/verify-operation-receipt.js';
export {
  compareReceipt,
  type ReceiptCheck,
  type ReceiptVerdict,
  type VerifySignature,
  verifyReceipt,
} from './proof/verify-receipt.js';
export {
  type WhatIfEntry,
  WhatIfKind,
  type WhatIfOutcome,
  WhatIfReplay,
} from './proof/what-if/what-if-replay.js';
export type { WhatIfEnd } from './proof/what-if/what-if-side.js';
export { descriptorFromFacts, descriptorToFacts } from './registry/mode-facts.js';
export {
  extensionModes,
  findMode,
  type ModesCommand,
  type ModesState,
  modesDecider,
  type RegisteredMode,
  standardModes,
} from './registry/modes.js';
export {
  fileFlaw,
  findPolicy,
  listPolicies,
  type NewPolicy,
  type PoliciesCommand,
  type PoliciesState,
  policiesDecider,
  policyFlaw,
  shownPolicy,
} from './registry/policies.js';
export { MAX_MODES_BYTES, MAX_POLICIES_BYTES, MAX_REGISTERED } from './registry/registry-room.js';
export { type Denial, type Rejection, RejectionCode, reject, rejectWith } from './rejection.js';
export { type BoundTakeOver, commitWord, type SessionBinding } from './session/binding.js';
export { Control, type SessionCommand } from './session/command.js';
export {
  type SessionMetadata,
  sessionMetadata,
  sessionSummary,
  summaryToMetadata,
} from './session/metadata.js';
export { hasOrdinal, ordinalAt, sequenceOf } from './session/ordinals.js';
export { EXPIRED_TYPE } from './session/runtime-names.js';
export { isSessionId, MAX_OLDER_SESSION_ID_BYTES } from './session/session-id.js';
export { MAX_PARTICIPANTS, MAX_TTL_MS } from './session/start.js';
export {
  isMember,
  isTerminal,
  maySpeak,
  membersOf,
  type ParticipantActivity,
  type SessionState,
  SessionStatus,
} from './session/state.js';
export { shellLine, shellWord } from './shell-line.js';
export type {
  CommandOf,
  Consulted,
  DeciderOf,
  Reaction,
  StateOf,
  Step,
  StreamTypes,
} from './streams.js';
export {
  cited,
  hasUnseen,
  isBlank,
  isId,
  isWellFormed,
  MAX_ID_BYTES,
  named,
  UNSEEN,
  utf8Length,
  writtenOut,
} from './text.js';
export {
  type Brief,
  type BriefWarning,
  briefWarnings,
  DEFAULT_TOKEN_BUDGET,
  gatherBrief,
  tokensOf,
  writeBrief,
} from './worklog/brief/brief.js';
export {
  type BriefEntry,
  itemsNoted,
  kindsNoted,
  type NoteWarning,
  notedIn,
  saidNotes,
} from './worklog/brief/entry-notes.js';
export { ERROR_WORDS } from './worklog/brief/error-words.js';
export type { Gathered } from './worklog/brief/gather.js';
export {
  kindOf,
  NOTE_KINDS,
  type NoteKind,
  OTHER_WORDS as OTHER_NOTE_WORDS,
  SECTIONS,
} from './worklog/brief/kinds.js';
export { withoutUnseen } from './worklog/brief/unseen.js';
export { ContextType, type HandoffOutcome, type WorklogCommand } from './worklog/command.js';
export { Chosen, CommitBy, type CommitRule } from './worklog/commit-rule.js';
export { takeOverFlaw } from './worklog/decide-handoff.js';
export { WorklogEntryType } from './worklog/entry-type.js';
export { hasGivenAway, noteAbout, noteId } from './worklog/note-session.js';
export {
  digestOf,
  type HandoffPackage,
  makePackage,
  PACKAGE_CONTENT_TYPE,
  PACKAGE_VERSION,
  type PackageManifest,
  packageBytes,
  type ReadPackage,
  readPackage,
} from './worklog/package.js';
export {
  ANYONE,
  liveInstruction,
  mayPickUp,
  type Parked,
  ParkedBy,
  SESSION_END,
  type Takers,
} from './worklog/parked.js';
export {
  isSecretFile,
  redact,
  secretIn,
  withoutHome,
} from './worklog/redact/redact.js';
export { encodeId, offeredRefusal, writeRefusal } from './worklog/refusals.js';
export { findIn } from './worklog/search/find-in.js';
export { type Query, readQuery } from './worklog/search/query.js';
export {
  authorsUpTo,
  CloseOutcome,
  type Lifetimes,
  mayWrite,
  type PendingHandoff,
  type Project,
  type ReadGrant,
  RequestType,
  readableUpTo,
  statusOf as worklogStatusOf,
  type Taken,
  type WorklogState,
  WorklogStatus,
} from './worklog/state.js';
export {
  policyText,
  silentSince,
  type TakeOver,
  type TakeOverPolicy,
} from './worklog/take-over.js';
export { mayReadSent, type Transfer, transferAt } from './worklog/transfers.js';
export { worklogDecider } from './worklog/worklog-decider.js';
