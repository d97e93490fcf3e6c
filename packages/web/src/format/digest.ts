/**
 * Computes the digest of what is to be signed from what this page shows. If it differs from the digest that the agent
 * was given, somebody changed something in between.
 */
import { canonicalJson, type JsonObject } from '@handover/core';
import { digestPreimage, type Signed } from '@handover/evm';
import type { HandoffRecord } from '../model/record.js';

export const preimageOf = (record: HandoffRecord): JsonObject =>
  digestPreimage(record.chainId, signedOf(record));

/** Records come as JSON: their unknown members are JSON too. */
function signedOf(record: HandoffRecord): Signed {
  switch (record.family) {
    case 'bundle_deploy':
      return { bundle: record.bundle as JsonObject };
    case 'session_start':
      return { request: record.request as unknown as JsonObject };
    case 'operation':
      return {
        steps: record.steps.map(({ id, txRequest }) => ({
          id,
          ...(txRequest && { txRequest: txRequest as JsonObject }),
        })),
      };
  }
}

/** Undefined where the browser offers no hashing: over plain HTTP to another machine. */
export async function digestOf(record: HandoffRecord): Promise<string | undefined> {
  if (!window.isSecureContext) return undefined;
  const bytes = new TextEncoder().encode(canonicalJson(preimageOf(record)));
  const hash = await window.crypto.subtle.digest('SHA-256', bytes);
  return `sha256:${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
