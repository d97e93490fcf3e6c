export type { TextCodec } from './abi-encode.js';
export { type AbiValue, parseSignature } from './abi-type.js';
export { creationData, setOstcData } from './creation-data.js';
export { keccak256 } from './keccak256.js';
export { KNOWN_FUNCTIONS, type KnownFunction, Standard } from './known-functions.js';
export {
  type CallArgument,
  type CalldataReading,
  type DecodedCall,
  readCalldata,
  selectorOf,
} from './read-calldata.js';
export { CallWarning } from './warnings.js';
