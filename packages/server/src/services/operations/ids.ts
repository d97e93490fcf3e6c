/** Making ids of records. */
import { createHmac, randomBytes } from 'node:crypto';
import { type Family, RECORD_IDS, StreamKind, type StreamRef } from '@handover/core';

/**
 * With a key of the caller's own it is the same for every attempt, so that a retry meets what the first one made; under the
 * pepper, so that nobody can work it out.
 */
export function newId(
  family: Family,
  from?: { readonly pepper: Uint8Array; readonly of: readonly string[] },
): string {
  const { prefix, digits } = RECORD_IDS[family];
  if (!from) return prefix + randomBytes(digits / 2).toString('hex');
  const hash = createHmac('sha256', from.pepper).update(
    JSON.stringify(['handover/request', family, ...from.of]),
  );
  return prefix + hash.digest('hex').slice(0, digits);
}

export const operationRef = (tenant: string, id: string): StreamRef<'operation'> => ({
  tenant,
  kind: StreamKind.Operation,
  id,
});
