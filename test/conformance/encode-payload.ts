import { findPayload, HANDOFF_MODE, type PayloadKind, type PayloadsIn } from '@handover/core';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import type { Json, JsonObject } from './fixture-types.js';

type Payloads = PayloadsIn<typeof HANDOFF_MODE>;
const DEFAULTS: { readonly [T in keyof Payloads]?: Partial<Payloads[T]> } = {
  SessionStart: {
    intent: '',
    participants: [],
    modeVersion: '',
    configurationVersion: '',
    policyVersion: '',
    ttlMs: 0,
    roots: [],
    contextId: '',
    extensions: {},
    maxSuspendMs: 0,
  },
  HandoffAccept: { implicit: false },
  SessionResume: { bankedMs: 0 },
  Signal: { signalType: '', data: new Uint8Array(), confidence: 0, correlationSessionId: '' },
  Progress: { progressToken: '', progress: 0, total: 0, message: '', targetMessageId: '' },
};

function kindOf(messageType: string): PayloadKind<unknown> {
  const kind = findPayload(HANDOFF_MODE, messageType);
  if (!kind) throw new Error(`no payload is known for ${messageType}`);
  return kind;
}

const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function value(key: string, json: Json): unknown {
  if (key === 'context' || key === 'data') return codec.utf8(String(json));
  if (key === 'extensions' && json !== null)
    return Object.fromEntries(Object.entries(json).map(([name, text]) => [name, codec.utf8(String(text))]));
  if (key === 'supersedes' && json !== null)
    return Object.fromEntries(Object.entries(json).map(([name, text]) => [camel(name), text]));
  return json;
}

/** A fixture's payload (snake_case, bytes as text) as protobuf; a type that core does not know has no bytes. */
export function encodePayload(messageType: string, payload: JsonObject): Uint8Array {
  const fields = Object.fromEntries(
    Object.entries(payload).map(([key, json]) => [camel(key), value(key, json)]),
  );
  const complete = { ...DEFAULTS[messageType as keyof Payloads], ...fields };
  return Object.keys(payload).length === 0 && messageType !== 'SessionStart'
    ? new Uint8Array()
    : codec.encode(kindOf(messageType), complete);
}

/** The other way round, for comparing with what a fixture expects of the history. */
export function decodedField(messageType: string, bytes: Uint8Array, key: string): unknown {
  const decoded = codec.decode(kindOf(messageType), bytes) as Record<string, unknown> | undefined;
  const field = decoded?.[camel(key)];
  if (field instanceof Uint8Array) return codec.text(field);
  if (key !== 'extensions') return field;
  return Object.fromEntries(
    Object.entries(field as Record<string, Uint8Array>).map(([name, text]) => [name, codec.text(text)]),
  );
}
