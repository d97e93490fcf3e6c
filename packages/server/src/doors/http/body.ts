/**
 * Reading a body.
 *
 * B1. Bounded in bytes before it is kept, and in depth and values while it arrives: what is too much is not read on.
 * B2. Every byte counts against the door's budget until the request is answered.
 * B3. A refusal says which of these it was: too large (413), not whole (400), no room at the moment (503).
 */
import { jsonFixedLimits } from '../../config/json-limits.js';
import { type JsonLimits, JsonScan } from '../../platform/json/json-scan.js';
import {
  excessFlaw,
  type JsonFlaw,
  type ParseLimits,
  parseScanned,
  scanFlaw,
} from '../../platform/json/parse-bounded.js';
import type { BodyShare } from '../../services/body-budget.js';
import { arriving } from './arriving-body.js';
import { BodyBytes } from './body-bytes.js';
import { addressGroupOf } from './client-address.js';
import type { HttpContext } from './http-types.js';

export interface BodyWanted {
  readonly bytes: number;
  /** Who sends it; absent: a stranger. */
  readonly caller?: string;
  /** It is JSON, within these limits. */
  readonly json?: JsonLimits;
}

export interface Body {
  readonly bytes: Uint8Array;
  /** Of JSON only. */
  readonly scan?: JsonScan;
}

export interface BodyRefusal {
  readonly status: 400 | 413 | 503;
  readonly message: string;
  /** It has more bytes than these. */
  readonly limit?: number;
}

type Refused = { readonly refusal: BodyRefusal };

/** No valid body of this door is nested more than a handful of levels. */
export const MAX_DEPTH = jsonFixedLimits.jsonLevels.value;
const ENVELOPE_ROOM = 128 * 1024;
/** A body of this size is read at once. */
const SMALL = jsonFixedLimits.strangerBodyBytes.value;

/** A payload in base64, and room for the rest of the envelope. */
export function bodyLimit(maxPayloadBytes: number): number {
  return Math.ceil(maxPayloadBytes / 3) * 4 + ENVELOPE_ROOM;
}

export async function readBody(c: HttpContext, wanted: BodyWanted): Promise<Body | Refused> {
  const announced = announcedBytes(c);
  c.set('unread', announced !== 0);
  if (announced !== undefined && !(announced <= wanted.bytes)) return tooLarge(wanted.bytes);
  const reading = {
    share: shareOf(c, wanted.caller),
    wanted,
    scan: wanted.json && new JsonScan(wanted.json),
  };
  try {
    const read = hasArrived(c, announced) ? await whole(c, announced, reading) : await counted(c, reading);
    if ('refusal' in read) return read;
    reading.share.arrived();
    c.set('received', true);
    c.set('unread', false);
    return { bytes: read, ...(reading.scan && { scan: reading.scan }) };
  } catch {
    return refused(400, 'the body did not arrive whole');
  }
}

/** A body of JSON, parsed. An empty one is undefined. */
export async function readJson(
  c: HttpContext,
  limits: ParseLimits,
  caller?: string,
): Promise<{ readonly value: unknown } | Refused> {
  const bytes = limits.longer?.bytes ?? limits.bytes;
  const body = await readBody(c, { bytes, json: limits, ...(caller !== undefined && { caller }) });
  return 'refusal' in body ? body : parseBody(body, limits);
}

export function parseBody(
  { bytes, scan }: Body,
  limits: ParseLimits,
  parse: (bytes: Uint8Array) => ReturnType<typeof parseScanned> = parseScanned,
): { readonly value: unknown } | Refused {
  if (bytes.length === 0) return { value: undefined };
  const flaw = scan && scanFlaw(scan, bytes.length, limits);
  const parsed = flaw ? { flaw } : parse(bytes);
  return 'flaw' in parsed ? { refusal: refusalOf(parsed.flaw) } : parsed;
}

export function refusalOf({ kind, message }: JsonFlaw): BodyRefusal {
  return { status: kind === 'bytes' || kind === 'values' ? 413 : 400, message: `the body ${message}` };
}

/** What the client says. Undefined: it does not say. Node holds it to its word. */
export function announcedBytes(c: HttpContext): number | undefined {
  const announced = c.req.header('content-length');
  return announced === undefined ? undefined : Number(announced);
}

/** Most small bodies come with their head. They are read at once, which costs less. */
function hasArrived(c: HttpContext, announced: number | undefined): announced is number {
  return announced !== undefined && announced <= SMALL && c.env?.incoming?.complete === true;
}

interface Reading {
  readonly share: BodyShare;
  readonly wanted: BodyWanted;
  readonly scan: JsonScan | undefined;
}

async function whole(c: HttpContext, announced: number, reading: Reading): Promise<Uint8Array | Refused> {
  if (!reading.share.take(announced)) return NO_ROOM;
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  return scanned(reading, bytes) ?? bytes;
}

async function counted(c: HttpContext, reading: Reading): Promise<Uint8Array | Refused> {
  const body = new BodyBytes();
  let refusal: Refused | undefined;
  const { over, stop } = arriving(c, (piece) => {
    refusal = taken(reading, body, piece);
    return !refusal;
  });
  reading.share.onGivenUp = stop;
  await over;
  if (reading.share.isGivenUp) return NO_ROOM;
  return refusal ?? body.whole();
}

function taken(reading: Reading, body: BodyBytes, piece: Uint8Array): Refused | undefined {
  const { wanted, share } = reading;
  if (body.size + piece.length > wanted.bytes) return tooLarge(wanted.bytes);
  if (!share.take(piece.length)) return NO_ROOM;
  body.add(piece);
  return body.isTooFine ? TOO_FINE : scanned(reading, piece);
}

function scanned({ scan, wanted }: Reading, bytes: Uint8Array): Refused | undefined {
  scan?.push(bytes);
  if (!scan?.excess || !wanted.json) return undefined;
  return { refusal: refusalOf(excessFlaw(scan.excess, wanted.json)) };
}

function shareOf(c: HttpContext, caller: string | undefined): BodyShare {
  const share = c
    .get('budget')
    .open(caller === undefined ? { address: addressGroupOf(c) ?? 'unknown' } : { caller });
  c.set('share', share);
  return share;
}

const refused = (status: BodyRefusal['status'], message: string): Refused => ({
  refusal: { status, message },
});
const tooLarge = (limit: number): Refused => ({
  refusal: { status: 413, message: `the body has more than ${limit} bytes`, limit },
});
const TOO_FINE = refused(400, 'the body comes in too many small pieces; send larger chunks');
const NO_ROOM = refused(503, 'the server holds as many bodies as it can; try again in a moment');
