export { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
export {
  type Ack,
  type AckError,
  decodeAck,
  decodeAckResponse,
  encodeAck,
  encodeAckResponse,
  SESSION_STATES,
  type SessionStateName,
} from './ack.js';
export { fromBase64, toBase64 } from './base64.js';
export { type CodecOptions, createCodec } from './codec.js';
export { fileDescriptors } from './descriptors.js';
export {
  decodeEnvelope,
  decodeSendRequest,
  encodeEnvelope,
  encodeSendRequest,
  encodeSignal,
} from './envelope.js';
export { countFields } from './field-count.js';
export { JsonInParts } from './json/json-in-parts.js';
export { isMembers, type JsonMembers, type JsonValue, writeJson } from './json/json-value.js';
export { type MessageReading, messageFromJson, messageToJson } from './json/message-json.js';
export { type ParsedJson, parseJson } from './json/parse-json.js';
export { decodeMessage, encodeMessage } from './message.js';
export { type MethodEntry, type MethodKey, methods } from './methods.js';
export * as pb from './pb.js';
export {
  decodeStreamFrame,
  decodeStreamRequest,
  encodeStreamFrame,
  encodeStreamRequest,
  type StreamFrame,
  type StreamRequest,
} from './stream.js';
