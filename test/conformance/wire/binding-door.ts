/**
 * The HTTP binding's side of a fixture, from docs/spec/macp-http.md 16 and 17 alone: JSON as it is written down there,
 * made and read without the server's JSON code.
 */
import { type DescMessage, fromJson, toBinary } from '@bufbuild/protobuf';
import { type Envelope, findPayload } from '@handover/core';
import { pb } from '@handover/wire';
import { expect } from 'vitest';
import { openEvents } from '../../kit/event-client.js';
import { GrpcClient } from '../../kit/grpc-client.js';
import { isRefused, type Refused, refusedBy } from '../../kit/refused.js';
import { BYTES_FIELDS, encodePayload } from '../encode-payload.js';
import type { Json, JsonObject } from '../fixture-types.js';
import { denialsIn } from './denials.js';
import type { Door, DoorAck, Message, Metadata } from './door.js';
import { GRPC_COUNTERPART, HTTP_STATUS } from './http-status.js';

interface JsonError {
  readonly code: string;
  readonly message: string;
  readonly details: string;
}

interface JsonAck {
  readonly ok: boolean;
  readonly duplicate: boolean;
  readonly message_id: string;
  readonly session_id: string;
  readonly accepted_at_unix_ms: number;
  readonly session_state: string;
  readonly error?: JsonError;
}

interface Answer {
  readonly ack?: JsonAck;
  readonly metadata?: Metadata;
  readonly error?: JsonError;
}

const CONTROLS = { cancel: 'CancelSession', suspend: 'SuspendSession', resume: 'ResumeSession' } as const;
const WITHOUT_ORDINAL: ReadonlySet<string> = new Set(['SessionSuspend', 'SessionResume', 'SessionCancel']);
const NO_ORDINAL_KNOWN = ({ messageType }: Envelope) => !WITHOUT_ORDINAL.has(messageType);

export function createBindingDoor(url: string, grpcAddress: string): Door {
  const grpc = new GrpcClient(grpcAddress);
  const call = async (method: string, body: JsonObject, bearer: string | undefined) => {
    const response = await fetch(`${url}/macp/v1/${method}`, {
      method: 'POST',
      headers: headersOf(bearer),
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Answer;
    expect(response.headers.get('macp-error-code')).toBe(answer.error?.code ?? null);
    expect(response.status).toBe(answer.error ? HTTP_STATUS[answer.error.code] : 200);
    return { status: response.status, answer };
  };
  return {
    async send(message, bearer) {
      const { head } = message;
      const { answer } = await call('Send', { envelope: envelopeJson(message) }, bearer);
      // A credential that is not good is refused before the envelope is looked at.
      return answer.ack ? ackOf(answer.ack) : refusedAck(head, answer.error);
    },
    async control(control, sessionId, reason, bearer) {
      const { status, answer } = await call(CONTROLS[control], { session_id: sessionId, reason }, bearer);
      return answer.ack ? ackOf(answer.ack) : refusedWith(status, answer.error);
    },
    async get(sessionId, bearer) {
      const { status, answer } = await call('GetSession', { session_id: sessionId }, bearer);
      return answer.metadata ?? refusedWith(status, answer.error);
    },
    /** How much there is to wait for is asked of the other door, which then must have said the same. */
    async history(sessionId, bearer) {
      const other = await grpc.history(sessionId, bearer).catch(refusedBy);
      if (isRefused(other)) return other;
      const expected = other.filter(NO_ORDINAL_KNOWN);
      const body = JSON.stringify({ subscribe_session_id: sessionId, after_sequence: 0 });
      const events = await openEvents(`${url}/macp/v1/StreamSession`, headersOf(bearer), () => {}, body);
      const said: unknown[] = [];
      for (let count = 1; count <= expected.length; count++) {
        const event = await events.next();
        expect(event?.id).toBe(count);
        said.push(comparableOf(event?.data.envelope as JsonObject));
      }
      events.close();
      expect(said, 'events and gRPC stream').toEqual(expected.map(comparable));
      return other;
    },
    close: () => grpc.close(),
  };
}

const headersOf = (bearer: string | undefined): Record<string, string> => ({
  'content-type': 'application/json',
  ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
});

function ackOf(ack: JsonAck): DoorAck {
  const details = ack.error?.details;
  return {
    ok: ack.ok,
    duplicate: ack.duplicate,
    messageId: ack.message_id,
    sessionId: ack.session_id,
    acceptedAt: ack.accepted_at_unix_ms,
    state: ack.session_state.replace('SESSION_STATE_', ''),
    code: ack.error?.code ?? '',
    message: ack.error?.message ?? '',
    denials: denialsIn(details ? Buffer.from(details, 'base64') : undefined),
  };
}

function refusedAck({ messageId, sessionId }: Message['head'], error: JsonError | undefined): DoorAck {
  expect(error?.code).toBe('UNAUTHENTICATED');
  const { code = '', message = '' } = error ?? {};
  const named = { messageId, sessionId, duplicate: false, acceptedAt: 0, state: 'UNSPECIFIED' };
  return { ok: false, ...named, code, message, denials: undefined };
}

function refusedWith(status: number, error: JsonError | undefined): Refused {
  return { status: GRPC_COUNTERPART[status] ?? `HTTP ${status}`, message: String(error?.message) };
}

/** Milliseconds only where there are some. */
const timeText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const headJson = (envelope: Envelope): JsonObject => ({
  macp_version: envelope.macpVersion,
  mode: envelope.mode,
  message_type: envelope.messageType,
  message_id: envelope.messageId,
  session_id: envelope.sessionId,
  sender: envelope.sender,
  timestamp: timeText(envelope.timestampUnixMs),
});

const comparable = (envelope: Envelope): JsonObject => ({
  ...headJson(envelope),
  payload: Buffer.from(envelope.payload).toString('hex'),
});

/** Exactly one of payload and payload_b64 is there. JSON is read by the library of protobuf alone. */
function comparableOf({ payload, payload_b64, ...head }: JsonObject): JsonObject {
  expect((payload === undefined) !== (payload_b64 === undefined)).toBe(true);
  const bytes =
    payload === undefined
      ? Buffer.from(String(payload_b64), 'base64')
      : bytesOf(String(head.mode), String(head.message_type), payload);
  return { ...head, payload: Buffer.from(bytes).toString('hex') };
}

const CORE: ReadonlySet<string> = new Set([
  'SessionStart',
  'SessionCancel',
  'SessionSuspend',
  'SessionResume',
  'Commitment',
]);

const isMessage = (one: object): one is DescMessage => 'kind' in one && one.kind === 'message';
const { decision, handoff, multiRound, proposal, quorum, task } = pb;
const MESSAGES = [pb, decision, handoff, multiRound, proposal, quorum, task].flatMap((each) =>
  Object.values<object>(each).filter(isMessage),
);

function bytesOf(mode: string, type: string, payload: Json): Uint8Array {
  const [, name = 'multi_round'] = /^macp\.mode\.(\w+)\.v1$/.exec(mode) ?? [];
  const full = CORE.has(type) ? `macp.v1.${type}Payload` : `macp.modes.${name}.v1.${type}Payload`;
  const schema = MESSAGES.find(({ typeName }) => typeName === full);
  if (!schema) throw new Error(`there is no ${full}`);
  return toBinary(schema, fromJson(schema, JSON.parse(JSON.stringify(payload))));
}

function envelopeJson({ head, payload }: Message): JsonObject {
  const { mode, messageType } = head;
  const json = headJson({ ...head, payload: new Uint8Array() });
  if ('bytes' in payload) return { ...json, payload_b64: base64(payload.bytes) };
  const known = messageType === payload.type && findPayload(mode, messageType) !== undefined;
  if (known) return { ...json, payload: payloadJson(payload.fields) };
  return { ...json, payload_b64: base64(encodePayload(payload.type, payload.fields, mode)) };
}

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');

/** Fixtures write bytes as text. */
function payloadJson(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fieldJson(name, value)]));
}

function fieldJson(name: string, value: Json): Json {
  if (BYTES_FIELDS.has(name)) return base64(String(value));
  if (name !== 'extensions') return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([key, text]) => [key, base64(String(text))]));
}
