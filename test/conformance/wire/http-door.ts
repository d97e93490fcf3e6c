/**
 * The HTTP side of a fixture, from docs/spec/macp.md 7 alone: JSON as it is written down there, read without the
 * server's code.
 */
import { type Envelope, envelopeFromJson, findPayload } from '@handover/core';
import { expect } from 'vitest';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { readEvents } from '../../kit/event-client.js';
import { GrpcClient, WITH_CONTROLS } from '../../kit/grpc-client.js';
import { isRefused, type Refused, refusedBy } from '../../kit/refused.js';
import { BYTES_FIELDS, encodePayload } from '../encode-payload.js';
import type { Json, JsonObject } from '../fixture-types.js';
import { denialsIn } from './denials.js';
import type { Door, DoorAck, Message, Metadata } from './door.js';
import { GRPC_COUNTERPART, HTTP_STATUS } from './http-status.js';

interface JsonAck {
  readonly ok: boolean;
  readonly duplicate: boolean;
  readonly message_id: string;
  readonly session_id: string;
  readonly accepted_at_unix_ms: number;
  readonly session_state: string;
  readonly error?: { readonly code: string; readonly message: string; readonly details: string };
}

const headersOf = (bearer: string | undefined): Record<string, string> =>
  bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };

export function createHttpDoor(url: string, grpcAddress: string): Door {
  const grpc = new GrpcClient(grpcAddress);
  const post = async (path: string, body: Json, bearer: string | undefined) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(bearer) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as JsonAck };
  };
  const sessionPath = (id: string) => `/macp/session/${encodeURIComponent(id)}`;
  return {
    async send(message, bearer) {
      const { status, body } = await post('/macp/envelope', envelopeJson(message), bearer);
      return ackOf(status, body);
    },
    async control(control, sessionId, reason, bearer) {
      const { status, body } = await post(`${sessionPath(sessionId)}/${control}`, { reason }, bearer);
      const ack = ackOf(status, body);
      const refused = GRPC_COUNTERPART[status];
      return refused === undefined ? ack : { status: refused, message: ack.message };
    },
    async get(sessionId, bearer) {
      const response = await fetch(`${url}${sessionPath(sessionId)}`, { headers: headersOf(bearer) });
      const body = (await response.json()) as Metadata;
      return response.status === 200 ? body : refusedWith(response.status, body);
    },
    /** How much there is to wait for is asked of the other door, which then must have said the same. */
    async history(sessionId, bearer) {
      const other = await grpc.history(sessionId, bearer).catch(refusedBy);
      if (isRefused(other)) return other;
      const events = await readEvents(
        `${url}${sessionPath(sessionId)}/events`,
        { ...headersOf(bearer), ...WITH_CONTROLS },
        other.length,
      );
      const envelopes = events.map(({ data }) => fromJson(data));
      expect(envelopes.map(comparable), 'events and gRPC stream').toEqual(other.map(comparable));
      return other;
    },
    close: () => grpc.close(),
  };
}

const comparable = ({ payload, ...head }: Envelope) => ({
  ...head,
  payload: Buffer.from(payload).toString('hex'),
});

function refusedWith(status: number, body: Metadata): Refused {
  return { status: GRPC_COUNTERPART[status] ?? `HTTP ${status}`, message: String(body.message) };
}

function ackOf(status: number, body: JsonAck): DoorAck {
  const code = body.error?.code ?? '';
  const expected = code === '' ? 200 : HTTP_STATUS[code];
  if (status !== expected)
    throw new Error(`HTTP ${status} with the code ${code || 'none'}: ${JSON.stringify(body)}`);
  const details = body.error?.details;
  return {
    ok: body.ok,
    duplicate: body.duplicate,
    messageId: body.message_id,
    sessionId: body.session_id,
    acceptedAt: body.accepted_at_unix_ms,
    state: body.session_state.replace('SESSION_STATE_', ''),
    code,
    message: body.error?.message ?? '',
    denials: denialsIn(details ? Buffer.from(details, 'base64') : undefined),
  };
}

function envelopeJson({ head, payload }: Message): JsonObject {
  return {
    macp_version: head.macpVersion,
    mode: head.mode,
    message_type: head.messageType,
    message_id: head.messageId,
    session_id: head.sessionId,
    sender: head.sender,
    timestamp: new Date(head.timestampUnixMs).toISOString(),
    ...payloadMember(head, payload),
  };
}

/** Fields where the canonical JSON has a form for them, in their own mode and under their own type; else bytes. */
function payloadMember({ mode, messageType }: Message['head'], payload: Message['payload']): JsonObject {
  if ('bytes' in payload) return { payload_b64: Buffer.from(payload.bytes).toString('base64') };
  const known = messageType === payload.type && findPayload(mode, messageType) !== undefined;
  if (known) return { payload: payloadJson(payload.fields) };
  return { payload_b64: Buffer.from(encodePayload(payload.type, payload.fields, mode)).toString('base64') };
}

const base64 = (text: Json | undefined) => Buffer.from(String(text)).toString('base64');

/** Fixtures write bytes as text; in JSON they are base64. */
function payloadJson(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, fieldJson(key, field)]));
}

function fieldJson(key: string, field: Json): Json {
  if (BYTES_FIELDS.has(key)) return base64(field);
  if (key !== 'extensions') return field;
  return Object.fromEntries(Object.entries(field as JsonObject).map(([name, text]) => [name, base64(text)]));
}

function fromJson(json: unknown): Envelope {
  const reading = envelopeFromJson(json, codec);
  if ('rejection' in reading) throw new Error(`an event is not an envelope: ${reading.rejection.message}`);
  return reading.envelope;
}
