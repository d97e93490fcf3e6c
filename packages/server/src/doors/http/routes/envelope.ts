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
import { callerKey } from '../../../auth/caller-key.js';
import type { Principal } from '../../../auth/principal.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { jsonLimits } from '../../../config/json-limits.js';
import { parseExactly } from '../../../platform/json/parse-exactly.js';
import { rejectedAck } from '../../../services/macp/acks.js';
import type { Refused } from '../../../services/outcome.js';
import { type Body, type BodyRefusal, bodyLimit, MAX_DEPTH, parseBody, readBody } from '../body.js';
import { ackAnswer, noRoomAnswer, rejectionOfBody } from '../errors.js';
import type { HttpApp, HttpContext, RouteDependencies } from '../http-types.js';
import { MediaType, mediaTypeOf } from '../media-type.js';
import { authenticateRequest, credentialsOf, knownCaller, originOf } from '../principal.js';

const JSON_LIMITS = jsonLimits(MAX_DEPTH);
const STRANGER_BYTES = fixedLimits.strangerBodyBytes.value;

type Named = Pick<Envelope, 'messageId' | 'sessionId'>;
type Reading = { readonly envelope: Envelope } | (Refused & { readonly named: Named });

const NAMELESS: Named = { messageId: '', sessionId: '' };

export function envelopeRoutes(app: HttpApp, route: RouteDependencies): void {
  const { deps } = route;
  const handler = (judge: (envelope: Envelope) => Rejection | undefined) => async (c: HttpContext) => {
    const caller = await knownCaller(deps, c);
    const body = await envelopeBody(c, route, caller);
    if ('refusal' in body && body.refusal.status === 503) return noRoomAnswer(c, body.refusal.message);
    const reading =
      'refusal' in body ? await bodyRefused(c, route, body.refusal, caller) : readEnvelope(c, route, body);
    const ack =
      'envelope' in reading ? await send(c, route, reading.envelope, caller, judge) : refused(route, reading);
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
  caller: Principal | undefined,
  judge: (envelope: Envelope) => Rejection | undefined,
): Promise<Ack> {
  const rejection = judge(envelope);
  if (rejection) return refused(route, { rejection, named: envelope });
  // A credential that is not good is refused there, after the shape: that is the protocol's order.
  return caller
    ? route.send.sendAs(caller, envelope)
    : route.send.send(credentialsOf(c), envelope, originOf(c));
}

const isProto = (c: HttpContext): boolean => mediaTypeOf(c.req.header('content-type')) === MediaType.Proto;

function envelopeBody(c: HttpContext, { deps }: RouteDependencies, caller: Principal | undefined) {
  const most = bodyLimit(deps.maxPayloadBytes);
  const bytes = caller ? most : Math.min(most, STRANGER_BYTES);
  return readBody(c, {
    bytes,
    ...(caller && { caller: callerKey(caller) }),
    ...(!isProto(c) && { json: JSON_LIMITS }),
  });
}

/** A body that is too large only for a stranger needs a credential. */
async function bodyRefused(
  c: HttpContext,
  { deps }: RouteDependencies,
  { status, message, limit }: BodyRefusal,
  caller: Principal | undefined,
): Promise<Reading> {
  const known = status === 413 && !caller ? await authenticateRequest(deps, c) : undefined;
  if (known && 'rejection' in known) return { ...known, named: NAMELESS };
  return { rejection: rejectionOfBody(status, message + whichLimit(deps, limit)), named: NAMELESS };
}

/** How much a body may have follows from a setting; other flaws of a body do not. */
function whichLimit({ maxPayloadBytes }: RouteDependencies['deps'], limit: number | undefined): string {
  return limit === bodyLimit(maxPayloadBytes)
    ? ': the limit of MACP_MAX_PAYLOAD_BYTES in base64, and 128 KiB for the rest'
    : '';
}

function readEnvelope(c: HttpContext, { deps }: RouteDependencies, body: Body): Reading {
  if (isProto(c)) return fromProto(body.bytes);
  const { scan } = body;
  // Of two members of one name the last would bind, and whoever reads the first would see another decision.
  const parsed = parseBody(body, JSON_LIMITS, scan && ((bytes) => parseExactly(bytes, scan)));
  if ('refusal' in parsed) {
    const { status, message } = parsed.refusal;
    return { rejection: rejectionOfBody(status, message), named: NAMELESS };
  }
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
