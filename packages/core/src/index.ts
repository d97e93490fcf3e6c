export type { Codec } from './envelope/codec.js';
export { CoreMessageType, type Envelope, MACP_VERSION, RUNTIME_MESSAGE_TYPES } from './envelope/envelope.js';
export type * from './envelope/payloads.js';
export { type Rejection, RejectionCode, reject } from './rejection.js';
