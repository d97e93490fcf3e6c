/** One payload as JSON, and back. */
import type { JsonObject } from '../../log/json.js';
import { type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { Codec } from '../codec.js';
import type { PayloadKind } from '../payload-kind.js';
import { JsonReading } from './json-reading.js';

export function payloadToJson<P>(kind: PayloadKind<P>, payload: NoInfer<P>, codec: Codec): JsonObject {
  return kind.json.write(payload, codec);
}

export type PayloadReading<P> = { readonly payload: P } | { readonly rejection: Rejection };

export function payloadFromJson<P>(kind: PayloadKind<P>, json: unknown, codec: Codec): PayloadReading<P> {
  const reading = new JsonReading(codec);
  const payload = kind.json.read(json, 'payload', reading);
  if (reading.flaw === undefined) return { payload };
  return { rejection: reject(RejectionCode.INVALID_ENVELOPE, reading.flaw) };
}
