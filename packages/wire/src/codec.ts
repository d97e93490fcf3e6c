import type { Codec } from '@handover/core';
import { fromBase64, toBase64 } from './base64.js';
import { payloadTypes } from './payloads.js';
import { text, utf8 } from './proto/utf8.js';

export interface CodecOptions {
  /** SHA-256 of the parts, one after another, as lowercase hex. The caller's, since no platform has it synchronously but Node. */
  readonly sha256: (...parts: readonly Uint8Array[]) => string;
}

/** The functions that core asks for, on the same reader and writer as the envelope itself. */
export function createCodec({ sha256 }: CodecOptions): Codec {
  return {
    decode: (type, bytes) => payloadTypes[type].decode(bytes),
    encode: (type, payload) => payloadTypes[type].encode(payload),
    utf8,
    text,
    toBase64,
    fromBase64,
    sha256,
  };
}
