/** The digest that agent, page and receipt show: of what is to be signed, and on which chain. */
import { type Codec, canonicalJson, isSecretKey, type Json, type JsonObject, REDACTED } from '@handover/core';

/** What a person signs: one kind for each family. */
export type Signed =
  | { readonly steps: readonly { readonly id: string; readonly txRequest?: JsonObject }[] }
  | { readonly bundle: JsonObject }
  | { readonly request: JsonObject };

export function operationDigest(
  chainId: number,
  what: Signed,
  codec: Pick<Codec, 'sha256' | 'utf8'>,
): string {
  return `sha256:${codec.sha256(codec.utf8(canonicalJson(digestPreimage(chainId, what))))}`;
}

/** What is hashed, as canonical JSON. */
export function digestPreimage(chainId: number, what: Signed): JsonObject {
  if ('bundle' in what) return { v: 1, chainId, bundle: what.bundle };
  if ('request' in what) {
    const { handle: _handle, ...request } = what.request;
    return { v: 1, chainId, request: redactSecrets(request) as JsonObject };
  }
  const steps = what.steps.map(({ id, txRequest }) => ({ id, ...(txRequest && { txRequest }) }));
  return { v: 1, chainId, steps };
}

/** The same value, with the callers' secrets replaced. */
export function redactSecrets(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(redactSecrets);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isSecretKey(key) ? REDACTED : redactSecrets(member as Json),
    ]),
  );
}
