export {
  BROWSER_ACTOR,
  type CancelledBy,
  type ChainVerdict,
  type NewStep,
  type OperationCommand,
} from './command.js';
export { OperationEntryType } from './entry-type.js';
export { FAMILIES, familyOfId } from './families/families.js';
export type { OperationFamily } from './families/family.js';
export { operationDecider } from './operation-decider.js';
export { operationConflict, operationExpired, operationFlaw, operationNotFound } from './refusals.js';
export {
  type BlockRef,
  claimKey,
  Family,
  hasSubmitted,
  isFinal,
  isOver,
  isSubmitted,
  type OperationState,
  OperationStatus,
  type Progress,
  type ResultState,
  type StepClaim,
  type StepState,
  StepStatus,
  Verification,
  verificationOf,
} from './state.js';
export { isOpenAfter } from './step-move.js';
export { LATE_CLAIM_MS } from './tick.js';
export { below, type Findings, type Issue, Issues, MAX_FINDINGS } from './validate/issue.js';
export {
  hasKeyMaterial,
  hasKeyMaterialInSessionRequest,
  hasUnredactedSecret,
  KEY_MATERIAL_CODE,
  KEY_MATERIAL_MESSAGE,
} from './validate/key-material.js';
export {
  isDateTime,
  isText,
  isWhole,
  keysOf,
  listOf,
  member,
} from './validate/shapes.js';
