import { type Codec, type CorePayloadType, FaultCode, HandoverError, type PayloadKind } from '@handover/core';
import { fromBase64, toBase64 } from './base64.js';
import { modePayloadTypes } from './modes/mode-payloads.js';
import { corePayloadTypes } from './payloads.js';
import type { MessageType } from './proto/message.js';
import { text, utf8 } from './proto/utf8.js';

export interface CodecOptions {
  /** SHA-256 of the parts, one after another, as lowercase hex. The caller gives it: only Node has it synchronously. */
  readonly sha256: (...parts: readonly Uint8Array[]) => string;
}

/** The functions that core asks for, on the same reader and writer as the envelope itself. */
export function createCodec({ sha256 }: CodecOptions): Codec {
  return {
    decode: <P>(kind: CorePayloadType | PayloadKind<P>, bytes: Uint8Array) =>
      bindingOf<P>(kind).decode(bytes),
    encode: <P>(kind: CorePayloadType | PayloadKind<P>, payload: P) => bindingOf<P>(kind).encode(payload),
    utf8,
    text,
    toBase64,
    fromBase64,
    sha256,
  };
}

type Tables = Readonly<Record<string, Readonly<Record<string, MessageType<unknown>>>>>;

// An empty mode is Core, as in a PayloadKind.
const tables: Tables = { '': corePayloadTypes, ...modePayloadTypes };

/** The binding has the type that the kind says: each table is checked against the payloads of its mode. */
function bindingOf<P>(kind: CorePayloadType | PayloadKind<P>): MessageType<P> {
  const { mode, type } = typeof kind === 'string' ? { mode: '', type: kind } : kind;
  const binding = tables[mode]?.[type];
  if (!binding)
    throw new HandoverError(FaultCode.INTERNAL, `${type} of mode ${mode} has no protobuf binding`);
  return binding as MessageType<P>;
}
