/**
 * Send: what is decided about the envelope is an Ack, whether it was taken or not. Only a request that carries no
 * envelope is refused as a request.
 */
import { isId, RejectionCode, reject } from '@handover/core';
import {
  type Ack,
  decodeEnvelope,
  encodeAckResponse,
  isMembers,
  type JsonValue,
  messageFromJson,
  messageToJson,
  methods,
  pb,
} from '@handover/wire';
import type { Principal } from '../../../auth/principal.js';
import { rejectedAck } from '../../../services/macp/acks.js';
import type { HttpContext, RouteDependencies } from '../http-types.js';
import { invalidRequest, JSON_TYPE, sayWait } from './errors.js';
import { readKnown } from './request.js';

export async function answerSend(c: HttpContext, route: RouteDependencies): Promise<Response> {
  const asked = await readKnown(c, route, false);
  if (asked instanceof Response) return asked;
  const { caller, body } = asked;
  const envelope = body.get('envelope') ?? null;
  if (envelope === null) return invalidRequest(c, 'the body must have an envelope');
  const ack = await decide(route, caller, envelope);
  if (ack.error) sayWait(c, ack.error.details);
  return c.body(messageToJson(methods.send.output, encodeAckResponse(ack)) ?? '', 200, JSON_TYPE);
}

async function decide({ send, deps }: RouteDependencies, caller: Principal, json: JsonValue): Promise<Ack> {
  const reading = messageFromJson(pb.EnvelopeSchema, json);
  const envelope = 'bytes' in reading ? decodeEnvelope(reading.bytes) : undefined;
  if (envelope) return send.sendAs(caller, envelope);
  const flaw = 'flaw' in reading ? reading.flaw : 'the envelope cannot be read';
  return rejectedAck(namesIn(json), deps.now(), reject(RejectionCode.INVALID_ENVELOPE, flaw), deps.codec);
}

/** The ids in a refused envelope, for its Ack. An id that is not valid is left empty. */
function namesIn(json: JsonValue) {
  const name = (key: string) => {
    const text = isMembers(json) ? json.get(key) : undefined;
    return typeof text === 'string' && isId(text) ? text : '';
  };
  return { messageId: name('message_id'), sessionId: name('session_id') };
}
