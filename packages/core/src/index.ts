export type { Codec } from './envelope/codec.js';
export { CoreMessageType, type Envelope, MACP_VERSION, RUNTIME_MESSAGE_TYPES } from './envelope/envelope.js';
export type * from './envelope/payloads.js';
export { FaultCode, type FaultNext, type FaultOptions, HandoverError } from './fault.js';
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
export { type Rejection, RejectionCode, reject } from './rejection.js';
