import type { PayloadByType, PayloadType } from './payloads.js';

/**
 * Pure functions that core needs and cannot write for itself without a platform: protobuf, UTF-8, base64, SHA-256.
 * They are passed in, so that core stays free of dependencies and runs the same in server, SDK and simulation.
 */
export interface Codec {
  /** Decodes protobuf bytes; undefined when they are not that message. Unknown fields are ignored. */
  decode<T extends PayloadType>(type: T, bytes: Uint8Array): PayloadByType[T] | undefined;
  encode<T extends PayloadType>(type: T, payload: PayloadByType[T]): Uint8Array;
  utf8(text: string): Uint8Array;
  /** Decodes UTF-8; undefined when the bytes are not valid UTF-8. */
  text(bytes: Uint8Array): string | undefined;
  toBase64(bytes: Uint8Array): string;
  /** Decodes standard or URL-safe base64; undefined when the text is not base64. */
  fromBase64(text: string): Uint8Array | undefined;
  /** SHA-256 of the parts, one after another, as lowercase hex. */
  sha256(...parts: readonly Uint8Array[]): string;
}
