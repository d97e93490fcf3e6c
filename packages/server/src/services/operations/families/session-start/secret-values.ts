/**
 * `__secret*` values of a session start. The log does not hold them. It holds only a salted digest of each, which can
 * show later which value was used. The values are kept sealed beside the log, and only the holder of the page's secret
 * gets them back.
 */
import { createHash, randomBytes } from 'node:crypto';
import { isFields, isSecretKey, type Json, type JsonObject, listOf, member } from '@handover/core';

export interface SecretValues {
  /** By session index, then key. */
  readonly values: JsonObject;
  readonly digests: readonly JsonObject[];
}

export function secretValues(request: JsonObject): SecretValues | undefined {
  const values: Record<string, Record<string, string>> = {};
  const digests: JsonObject[] = [];
  for (const [i, session] of listOf(request.sessions).entries()) {
    const payload = member(session, 'payload');
    for (const [key, value] of Object.entries(isFields(payload) ? payload : {})) {
      if (!isSecretKey(key) || typeof value !== 'string') continue;
      values[i] = { ...values[i], [key]: value };
      const salt = randomBytes(16).toString('hex');
      const digest = createHash('sha256').update(`${salt}\n${value}`).digest('hex');
      digests.push({ path: `sessions.${i}.payload.${key}`, salt, digest: `sha256:${digest}` });
    }
  }
  return digests.length === 0 ? undefined : { values, digests };
}

/** The view for the page, with the values back in their places. */
export function unsealedView(view: JsonObject, values: unknown): JsonObject {
  return isFields(view.request)
    ? { ...view, request: withSecrets(view.request as JsonObject, values) }
    : view;
}

function withSecrets(request: JsonObject, values: unknown): JsonObject {
  const sessions = listOf(request.sessions).map((session, i) => {
    const secret = member(values, String(i));
    const payload = member(session, 'payload');
    if (!isFields(session) || !isFields(secret) || !isFields(payload)) return session as Json;
    return { ...session, payload: { ...payload, ...secret } } as unknown as Json;
  });
  return { ...request, sessions };
}
