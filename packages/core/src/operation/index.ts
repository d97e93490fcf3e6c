export { isContested, isForgotten } from './claims-of-asks.js';
export {
  BROWSER_ACTOR,
  type Judgement,
  type NewAsk,
  type NewClaim,
  type NewStep,
  type OperationCommand,
  type Verdict,
} from './command.js';
export { boundAccount, isOpenAfter, isSameAsk, knownAsk } from './decide-ask.js';
export { windowEnd } from './due.js';
export { isDoneEffect, isOpenResult, isWaiting, type Pending, pendingOf } from './effect.js';
export { OperationEntryType } from './entry-type.js';
export { QUIET_MS } from './evolve.js';
export { FAMILIES, familyOfId } from './families/families.js';
export type { OperationFamily } from './families/family.js';
export { openPrompts } from './open-prompts.js';
export { likeOf, operationDecider, presentOperation, type StoredOperation } from './operation-decider.js';
export { type Reason, reasonOf, reasonOfStep } from './reason.js';
export {
  operationConflict,
  operationExpired,
  operationFlaw,
  operationNotFound,
  replaceFlaw,
} from './refusals.js';
export {
  hasKnownSession,
  isBefore,
  type NamedSession,
  type SessionStanding,
  sessionStanding,
} from './session-standing.js';
export {
  claimAccount,
  countedAccount,
  shownClaim,
  shownHash,
  verificationOf,
  verificationOfStep,
} from './shown.js';
export { isSeen, isSought, isSoughtAtAll } from './sought.js';
export {
  AskStanding,
  type AskState,
  type BlockRef,
  type BoundBy,
  ClaimStanding,
  type ClaimState,
  type ClosedBy,
  type EarlierRecord,
  isOver,
  type OperationState,
  type Progress,
  REPORT_MS,
  type RepeatedRecord,
  type ResultState,
  reportUntil,
  type SessionAsk,
  type StepState,
} from './state.js';
export { CallKind, type StepCall } from './step-call.js';
export { below, type Findings, type Issue, Issues, MAX_FINDINGS } from './validate/issue.js';
export {
  hasKeyMaterial,
  hasKeyMaterialInSessionRequest,
  hasUnredactedSecret,
  KEY_MATERIAL_CODE,
  KEY_MATERIAL_MESSAGE,
  KEY_RULES,
  type KeyRule,
} from './validate/key-material.js';
export {
  checkPayloadSecrets,
  holdsRedacted,
  isSecretKey,
  REDACTED,
  refuseSecrets,
} from './validate/secret-keys.js';
export { isDateTime, isText, isWhole, keysOf, listOf, member } from './validate/shapes.js';
export {
  AskAnswer,
  Basis,
  ClaimKind,
  ClaimSource,
  CONTESTED,
  Effect,
  Family,
  NOT_STARTED,
  OperationStatus,
  ReasonCode,
  StepStatus,
  Verification,
} from './words.js';
