/**
 * A request of the binding, checked in this order: media type, Accept, credential, size, form. What is refused at one of
 * them is looked at no further, and its body is not read.
 */
import { RejectionCode } from '@handover/core';
import type { DescMessage, JsonMembers } from '@handover/wire';
import { isMembers, messageFromJson, parseJson } from '@handover/wire';
import { callerKey } from '../../../auth/caller-key.js';
import type { Principal } from '../../../auth/principal.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { jsonLimits } from '../../../config/json-limits.js';
import { type JsonFlaw, scanFlaw } from '../../../platform/json/parse-bounded.js';
import type { Authenticated } from '../../../services/authenticate.js';
import { readBody } from '../body.js';
import type { HttpContext, RouteDependencies } from '../http-types.js';
import { authenticateBearer } from '../principal.js';
import { bindingError, invalidRequest, refusalAnswer } from './errors.js';
import { allowsEvents, isJson } from './media.js';

export interface Expected {
  /** No credential is asked for. */
  readonly open: boolean;
  /** It is answered by a stream. */
  readonly streams: boolean;
}

export interface BindingRequest<Caller extends Principal | undefined = Principal | undefined> {
  /** Undefined where no credential is asked for. */
  readonly caller: Caller;
  readonly body: JsonMembers;
}

/** What a body may have besides its payload in base64. */
const ENVELOPE_ROOM = 65_536;
const STRANGER_BYTES = fixedLimits.strangerBodyBytes.value;
const BUSY_MS = 1_000;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function bodyCap(maxPayloadBytes: number): number {
  return Math.ceil((4 * maxPayloadBytes) / 3) + ENVELOPE_ROOM;
}

/** A request whose caller must be known. */
export async function readKnown(
  c: HttpContext,
  route: RouteDependencies,
  streams: boolean,
): Promise<BindingRequest<Principal> | Response> {
  const asked = await readRequest(c, route, { open: false, streams });
  return asked instanceof Response ? asked : (asked as BindingRequest<Principal>);
}

export async function readRequest(
  c: HttpContext,
  { deps }: RouteDependencies,
  { open, streams }: Expected,
): Promise<BindingRequest | Response> {
  c.set('unread', hasBody(c));
  if (!isJson(c.req.header('content-type'), c.req.header('content-encoding'))) return c.body(null, 415);
  if (streams && !allowsEvents(c.req.header('accept'))) return notAcceptable(c);
  const known: Authenticated | undefined = open ? undefined : await authenticateBearer(deps, c);
  if (known && 'rejection' in known) return refusalAnswer(c, known.rejection);
  const caller = known?.value;
  const cap = bodyCap(deps.maxPayloadBytes);
  const body = await readMembers(c, caller ? cap : Math.min(cap, STRANGER_BYTES), caller);
  return body instanceof Response ? body : { caller, body };
}

async function readMembers(
  c: HttpContext,
  bytes: number,
  caller: Principal | undefined,
): Promise<JsonMembers | Response> {
  const limits = jsonLimits(fixedLimits.bindingJsonLevels.value, bytes);
  const body = await readBody(c, { bytes, json: limits, ...(caller && { caller: callerKey(caller) }) });
  if ('refusal' in body) return refused(c, body.refusal.status, body.refusal.message);
  const flaw = body.scan && scanFlaw(body.scan, body.bytes.length, limits);
  if (flaw) return refused(c, statusOfFlaw(flaw), `the body ${flaw.message}`);
  let text: string;
  try {
    text = utf8.decode(body.bytes);
  } catch {
    return invalidRequest(c, 'the body is not UTF-8');
  }
  const parsed = parseJson(text);
  if ('flaw' in parsed) return invalidRequest(c, `the body ${parsed.flaw}`);
  return isMembers(parsed.value) ? parsed.value : invalidRequest(c, 'the body must be a JSON object');
}

/** The bytes of a message; or why the body is none. */
export function messageIn(c: HttpContext, schema: DescMessage, body: JsonMembers): Uint8Array | Response {
  const reading = messageFromJson(schema, body);
  return 'flaw' in reading ? invalidRequest(c, reading.flaw) : reading.bytes;
}

const statusOfFlaw = ({ kind }: JsonFlaw) => (kind === 'bytes' || kind === 'values' ? 413 : 400);

function refused(c: HttpContext, status: 400 | 413 | 503, message: string): Response {
  if (status === 503)
    return refusalAnswer(c, { code: 'RATE_LIMITED', message, details: { retryAfterMs: BUSY_MS } });
  return status === 413
    ? bindingError(c, { code: 'PAYLOAD_TOO_LARGE', message })
    : invalidRequest(c, message);
}

function notAcceptable(c: HttpContext): Response {
  const message = 'the answer is a stream: Accept must allow text/event-stream';
  return bindingError(c, { code: RejectionCode.INVALID_REQUEST, message }, 406);
}

export function hasBody(c: HttpContext): boolean {
  return c.req.header('transfer-encoding') !== undefined || Number(c.req.header('content-length') ?? 0) > 0;
}
