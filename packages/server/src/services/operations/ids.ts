/** Making ids of records. */
import { createHmac, randomBytes } from 'node:crypto';
import { type OperationFamily, StreamKind, type StreamRef } from '@handover/core';

/**
 * With a key of the caller's own, every attempt gets the same id, so that a retry finds what the first one made. The id
 * is made under the pepper, so that nobody can compute it.
 */
export function newId(
  { name, prefix, idBytes }: OperationFamily,
  from?: { readonly pepper: Uint8Array; readonly of: readonly string[] },
): string {
  if (!from) return prefix + randomBytes(idBytes).toString('hex');
  const hash = createHmac('sha256', from.pepper).update(
    JSON.stringify(['handover/request', name, ...from.of]),
  );
  return prefix + hash.digest('hex').slice(0, idBytes * 2);
}

export const operationRef = (tenant: string, id: string): StreamRef<'operation'> => ({
  tenant,
  kind: StreamKind.Operation,
  id,
});
