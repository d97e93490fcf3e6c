/**
 * A connection that outlives its server says a request again when it does not know whether the old server carried it
 * out. So a call that changes something and names no key gets one: made of the window, the number of the request and
 * what it asks for. The same line twice is then the same request, and another request is never taken for it.
 */
import { createHash } from 'node:crypto';
import { CheckedBundle } from '../../services/operations/families/bundle-deploy/check.js';
import type { Tool } from './tool.js';

type Arguments = Readonly<Record<string, unknown>>;

export function derivedKey(args: Arguments, instance: string, requestId: string | number): string {
  const digest = createHash('sha256').update(JSON.stringify(args, briefly)).digest('hex').slice(0, 16);
  return `rpc:${instance}:${shortId(requestId)}:${digest}`;
}

/** For tools that take a key; a tool without that argument finds it in its call. */
export function withDerivedKey(tool: Tool, args: Arguments, key: string | undefined): Arguments {
  const takesKey = 'shape' in tool.input && 'idempotencyKey' in (tool.input.shape as object);
  return !takesKey || key === undefined || args.idempotencyKey !== undefined
    ? args
    : { ...args, idempotencyKey: key };
}

/** A bundle that was checked before has a digest of its own. */
const briefly = (_: string, value: unknown): unknown =>
  value instanceof CheckedBundle ? value.check.digest : value;

const MAX_ID = 64;

/** Ids are the client's: a long or odd one is told by its digest. The number 1 and the text "1" are two ids. */
function shortId(id: string | number): string {
  const text = JSON.stringify(id);
  if (text.length <= MAX_ID && /^[\x21-\x7e]*$/.test(text)) return text;
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
