/**
 * The digest of what is to be signed, computed here from what this page shows: it equals what the agent was given, or
 * somebody changed something in between.
 */
import { canonicalJson, type Json } from '@handover/core';
import type { HandoffRecord } from '../model/record.js';

const SECRET_KEY = /^__secret\d*$/;

export function digestPreimage(record: HandoffRecord): Json {
  const { chainId } = record;
  if (record.family === 'bundle_deploy') return { v: 1, chainId, bundle: record.bundle as Json };
  if (record.family === 'session_start') {
    const { handle: _handle, ...request } = record.request;
    return { v: 1, chainId, request: redacted(request as Json) };
  }
  const steps = record.steps.map(({ id, txRequest }) => ({
    id,
    ...(txRequest && { txRequest: txRequest as Json }),
  }));
  return { v: 1, chainId, steps: steps as Json };
}

function redacted(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((member: Json) => redacted(member));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      SECRET_KEY.test(key) ? '[redacted]' : redacted(member as Json),
    ]),
  );
}

/** Undefined where the browser offers no hashing: over plain HTTP to another machine. */
export async function digestOf(record: HandoffRecord): Promise<string | undefined> {
  if (!window.isSecureContext) return undefined;
  const bytes = new TextEncoder().encode(canonicalJson(digestPreimage(record)));
  const hash = await window.crypto.subtle.digest('SHA-256', bytes);
  return `sha256:${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
