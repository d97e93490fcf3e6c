/**
 * Standard Webhooks 1.0: HMAC-SHA-256 over id, timestamp and body, each part joined by a dot. With several secrets
 * there are several signatures, so that a receiver can change its secret without missing anything.
 */
import { createHmac, createSecretKey } from 'node:crypto';

const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;

export const SECRET_RULE = `"${PREFIX}" and base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes`;

export type Signer = (id: string, timestampSeconds: number, body: string) => string;

/** Undefined when there is no secret or one is malformed. The bytes stay in key objects, which do not show them. */
export function signerOf(secrets: readonly string[]): Signer | undefined {
  const keys = secrets.map(keyOf);
  if (keys.length === 0 || keys.some((key) => key === undefined)) return undefined;
  return (id, timestamp, body) =>
    keys
      .flatMap((key) => (key ? [createHmac('sha256', key)] : []))
      .map((hmac) => `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`)
      .join(' ');
}

function keyOf(secret: string) {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES ? createSecretKey(bytes) : undefined;
}
