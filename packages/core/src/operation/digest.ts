/** The digest that agent, page and receipt show: of what is to be signed, and on which chain. */
import type { Codec } from '../envelope/codec.js';
import { canonicalJson, type Json, type JsonObject } from '../log/json.js';

export const REDACTED = '[redacted]';

export function operationDigest(
  chainId: number,
  what:
    | { readonly steps: readonly { readonly id: string; readonly txRequest?: JsonObject }[] }
    | { readonly bundle: JsonObject }
    | { readonly request: JsonObject },
  codec: Codec,
): string {
  return `sha256:${codec.sha256(codec.utf8(canonicalJson(preimage(chainId, what))))}`;
}

function preimage(chainId: number, what: Parameters<typeof operationDigest>[1]): JsonObject {
  if ('bundle' in what) return { v: 1, chainId, bundle: what.bundle };
  if ('request' in what) {
    const { handle: _handle, ...request } = what.request;
    return { v: 1, chainId, request: redactSecrets(request) as JsonObject };
  }
  const steps = what.steps.map(({ id, txRequest }) => ({ id, ...(txRequest && { txRequest }) }));
  return { v: 1, chainId, steps };
}

const SECRET_KEY = /^__secret\d*$/;

/** The same value, with what callers keep secret replaced. */
export function redactSecrets(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(redactSecrets);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      SECRET_KEY.test(key) ? REDACTED : redactSecrets(member as Json),
    ]),
  );
}
