/** POST /macp/envelope and POST /macp/session/start: an Envelope in, an Ack out. */
import {
  CoreMessageType,
  type Envelope,
  envelopeFromJson,
  isId,
  member,
  type Rejection,
  RejectionCode,
  reject,
} from '@handover/core';
import { type Ack, decodeEnvelope } from '@handover/wire';
import { rejectedAck } from '../../../services/macp/acks.js';
import type { Refused } from '../../../services/outcome.js';
import { bodyLimit, parseJson, readBody } from '../body.js';
import { ackAnswer } from '../errors.js';
import type { HttpApp, HttpContext, RouteDependencies } from '../http-types.js';
import { MediaType, mediaTypeOf } from '../media-type.js';
import { anonymousCaller, credentialsOf, DOOR } from '../principal.js';

type Named = Pick<Envelope, 'messageId' | 'sessionId'>;
type Reading = { readonly envelope: Envelope } | (Refused & { readonly named: Named });

const NAMELESS: Named = { messageId: '', sessionId: '' };

export function envelopeRoutes(app: HttpApp, route: RouteDependencies): void {
  const { deps } = route;
  const limit = bodyLimit(deps.maxPayloadBytes);
  const handler = (judge: (envelope: Envelope) => Rejection | undefined) => async (c: HttpContext) => {
    const reading = await readEnvelope(c, route, limit);
    const ack =
      'envelope' in reading ? await send(c, route, reading.envelope, judge) : refused(route, reading);
    return ackAnswer(c, ack, deps.codec);
  };
  app.post(
    '/macp/envelope',
    handler(() => undefined),
  );
  app.post('/macp/session/start', handler(startFlaw));
}

async function send(
  c: HttpContext,
  route: RouteDependencies,
  envelope: Envelope,
  judge: (envelope: Envelope) => Rejection | undefined,
): Promise<Ack> {
  const rejection = judge(envelope);
  if (rejection) return refused(route, { rejection, named: envelope });
  const credentials = credentialsOf(c);
  const anonymous = anonymousCaller(route.deps, credentials);
  return anonymous ? route.send.sendAs(anonymous, envelope) : route.send.send(credentials, envelope, DOOR);
}

async function readEnvelope(c: HttpContext, { deps }: RouteDependencies, limit: number): Promise<Reading> {
  const body = await readBody(c, limit);
  if ('rejection' in body) return { ...body, named: NAMELESS };
  if (mediaTypeOf(c.req.header('content-type')) === MediaType.Proto) return fromProto(body.value);
  const parsed = parseJson(body.value, deps.codec);
  if ('rejection' in parsed) return { ...parsed, named: NAMELESS };
  const reading = envelopeFromJson(parsed.value, deps.codec);
  return 'envelope' in reading ? reading : { ...reading, named: namesIn(parsed.value) };
}

function fromProto(bytes: Uint8Array): Reading {
  const envelope = decodeEnvelope(bytes);
  if (envelope) return { envelope };
  const rejection = reject(RejectionCode.INVALID_ENVELOPE, 'the body is not an Envelope in protobuf');
  return { rejection, named: NAMELESS };
}

function startFlaw({ messageType }: Envelope): Rejection | undefined {
  if (messageType === CoreMessageType.SessionStart) return undefined;
  return reject(RejectionCode.INVALID_ENVELOPE, 'message_type must be SessionStart here');
}

function refused({ deps }: RouteDependencies, refusal: { rejection: Rejection; named: Named }): Ack {
  return rejectedAck(refusal.named, deps.now(), refusal.rejection, deps.codec);
}

/** The ids in a refused envelope, for its Ack. An id that is not valid is left empty. */
function namesIn(value: unknown): Named {
  const name = (key: string) => {
    const text = member(value, key);
    return typeof text === 'string' && isId(text) ? text : '';
  };
  return { messageId: name('message_id'), sessionId: name('session_id') };
}
