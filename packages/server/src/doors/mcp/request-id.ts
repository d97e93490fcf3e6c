/** ULIDs: a time and a random part. They are sortable and, unlike the ids of JSON-RPC, unique among all clients. */
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

export function createRequestId(now: number): string {
  let time = '';
  for (let rest = now, digit = 0; digit < TIME_DIGITS; digit++, rest = Math.floor(rest / 32))
    time = ALPHABET.charAt(rest % 32) + time;
  let random = '';
  for (const byte of randomBytes(RANDOM_DIGITS)) random += ALPHABET.charAt(byte % 32);
  return time + random;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** The trace of the caller (W3C), when it sent one. */
export function traceIdOf(traceparent: unknown): string | undefined {
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
}
