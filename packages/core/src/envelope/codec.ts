import type { PayloadKind } from './payload-kind.js';
import type { CorePayloads, CorePayloadType } from './payloads.js';

/**
 * Pure functions that core needs and cannot write for itself without a platform: protobuf, UTF-8, base64, SHA-256.
 * They are passed in, so that core stays free of dependencies and runs the same in server, SDK and simulation.
 *
 * Core's own payloads are named by their message type; a mode's payload is named by its entry in the mode's table.
 */
export interface Codec {
  /** Decodes protobuf bytes; undefined when they are not that message. Unknown fields are ignored. */
  decode<T extends CorePayloadType>(type: T, bytes: Uint8Array): CorePayloads[T] | undefined;
  decode<P>(kind: PayloadKind<P>, bytes: Uint8Array): P | undefined;
  encode<T extends CorePayloadType>(type: T, payload: CorePayloads[T]): Uint8Array;
  encode<P>(kind: PayloadKind<P>, payload: NoInfer<P>): Uint8Array;
  utf8(text: string): Uint8Array;
  /** Decodes UTF-8; undefined when the bytes are not valid UTF-8. */
  text(bytes: Uint8Array): string | undefined;
  toBase64(bytes: Uint8Array): string;
  /** Decodes standard or URL-safe base64; undefined when the text is not base64. */
  fromBase64(text: string): Uint8Array | undefined;
  /** SHA-256 of the parts, one after another, as lowercase hex. */
  sha256(...parts: readonly Uint8Array[]): string;
}
