export type { AbiType, AbiValue } from './abi/abi-type.js';
export {
  decodeAddress,
  decodeAddresses,
  decodeText,
  decodeWord,
  encodeText,
  textCall,
} from './abi/contract-text.js';
export { selectorOf } from './abi/selector.js';
export { parseSignature, type Signature } from './abi/signature.js';
export { type AskedCall, frameNames, isSameCall } from './account/call.js';
export { type CallFrame, type FoundFrames, findFrames } from './account/call-frames.js';
export { addressWord, type EventLog } from './account/log.js';
export {
  isPlainCall,
  plainSafeCall,
  readExecTransaction,
  readModuleExecution,
  readSafeExecution,
  type SafeCall,
  type SafeExecution,
  SafeSelector,
  SafeTopic,
  safeTxHash,
} from './account/safe.js';
export { isKnownSafe, MULTI_SENDS, type SafeCode } from './account/safe-deployments.js';
export { effectLines } from './account/token-effects.js';
export {
  ENTRY_POINTS,
  readUserOperation,
  USER_OPERATION_TOPIC,
  type UserOperation,
} from './account/user-operation.js';
export { KNOWN_FUNCTIONS, type KnownFunction, Standard } from './calldata/known-functions.js';
export {
  type CallArgument,
  type CalldataReading,
  type DecodedCall,
  readCalldata,
} from './calldata/read-calldata.js';
export { CallWarning } from './calldata/warnings.js';
export { digestPreimage, operationDigest, redactSecrets, type Signed } from './digest.js';
export { coinsOf, isXgrChain, type NamedChain, namedChain } from './named-chains.js';
export {
  MAX_STEPS,
  type PlainTransaction,
  plainTransaction,
  type RequestedStep,
  validateOperation,
} from './operation-request.js';
export type {
  AnyView,
  AskView,
  BundleDeployMetadata,
  BundleDeployView,
  CallView,
  ChainSight,
  ClaimView,
  CommonView,
  GraphView,
  ReasonView,
  ReceiptEntry,
  RecordView,
  SessionStartMetadata,
  SessionStartView,
  SessionView,
  StepProgress,
  StepView,
  TransactionView,
  ValidationView,
} from './record-views.js';
export { sha256 } from './sha256.js';
export { checksummed, isAddress, isBytes32, isMistyped, MISTYPED } from './shapes.js';
export { formatUnits, grouped } from './units.js';
export { bundleResultFlaw, type DeployedItem, deployedItems } from './xdala/bundle-result.js';
export { creationData, setOstcData } from './xdala/creation-data.js';
export { type DeploymentStep, deploymentSteps, ostcText, ruleText } from './xdala/deployment-texts.js';
export {
  type GraphEdge,
  type GraphNode,
  type JoinNode,
  type ProcessGraph,
  processGraph,
  type RuleLookup,
  rulesOfBundle,
  shortRef,
} from './xdala/diagram/graph.js';
export { type MermaidOptions, mermaidText } from './xdala/diagram/mermaid.js';
export { type DiagramStep, type DiagramWarning, entrySteps, readSteps } from './xdala/diagram/steps.js';
export {
  BUNDLE_FORMAT,
  type BundleFindings,
  type BundleSummary,
  validateMultiBundle,
} from './xdala/multi-bundle.js';
export { requiredInputs } from './xdala/payload-flow.js';
export { Selector } from './xdala/selectors.js';
export { type PermitFacts, type PermitForm, permitTypedData, wirePermit } from './xdala/session-permit.js';
export { isAboutRequest, type SessionResultStatus, sessionResultFlaw } from './xdala/session-result.js';
export {
  MAX_SESSIONS,
  SESSION_START_TYPE,
  SESSION_START_VERSION,
  validateSessionStart,
} from './xdala/session-start.js';
export { XRC_TYPES } from './xdala/shapes.js';
