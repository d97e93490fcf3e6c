export {
  decodeAddress,
  decodeAddresses,
  decodeText,
  decodeWord,
  encodeText,
  Selector,
  textCall,
} from './abi.js';
export {
  type AbiValue,
  type CallArgument,
  type CalldataReading,
  CallWarning,
  creationData,
  type DecodedCall,
  KNOWN_FUNCTIONS,
  type KnownFunction,
  keccak256,
  parseSignature,
  readCalldata,
  Standard,
  selectorOf,
  setOstcData,
  type TextCodec,
} from './calldata/index.js';
export {
  BROWSER_ACTOR,
  type CancelledBy,
  type ChainVerdict,
  type NewStep,
  type OperationCommand,
} from './command.js';
export { type DeploymentStep, deploymentSteps, ostcText, ruleText } from './deploy/texts.js';
export {
  type GraphEdge,
  type GraphNode,
  type JoinNode,
  type ProcessGraph,
  processGraph,
  type RuleLookup,
  rulesOfBundle,
  shortRef,
} from './diagram/graph.js';
export { type MermaidOptions, mermaidText } from './diagram/mermaid.js';
export { type DiagramStep, type DiagramWarning, entrySteps, readSteps } from './diagram/steps.js';
export { operationDigest, REDACTED, redactSecrets } from './digest.js';
export { operationDecider } from './operation-decider.js';
export { operationConflict, operationExpired, operationFlaw, operationNotFound } from './refusals.js';
export {
  type BlockRef,
  claimKey,
  Family,
  hasSubmitted,
  isOver,
  isSubmitted,
  type OperationState,
  OperationStatus,
  type ResultState,
  type StepClaim,
  type StepState,
  StepStatus,
  Verification,
  verificationOf,
} from './state.js';
export { LATE_CLAIM_MS } from './tick.js';
export { bundleResultFlaw, type DeployedItem, deployedItems } from './validate/bundle-result.js';
export type { Findings, Issue } from './validate/issue.js';
export {
  hasKeyMaterial,
  hasKeyMaterialInSessionRequest,
  KEY_MATERIAL_CODE,
  KEY_MATERIAL_MESSAGE,
} from './validate/key-material.js';
export {
  BUNDLE_FORMAT,
  type BundleFindings,
  type BundleSummary,
  validateMultiBundle,
} from './validate/multi-bundle.js';
export {
  MAX_STEPS,
  type PlainTransaction,
  plainTransaction,
  type RequestedStep,
  validateOperation,
} from './validate/operation-request.js';
export { requiredInputs } from './validate/payload-flow.js';
export {
  isAboutRequest,
  type SessionResultStatus,
  sessionResultFlaw,
} from './validate/session-result.js';
export {
  MAX_SESSIONS,
  SESSION_START_TYPE,
  SESSION_START_VERSION,
  validateSessionStart,
} from './validate/session-start.js';
export { type Fields, isAddress, isBytes32, isFields, isText, listOf, member } from './validate/shapes.js';
