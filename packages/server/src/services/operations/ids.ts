/** Locators. They name a record and prove nothing. */
import { createHmac, randomBytes } from 'node:crypto';
import { Family, StreamKind, type StreamRef } from '@handover/core';

const PREFIX: Readonly<Record<Family, readonly [string, number]>> = {
  [Family.Operation]: ['op_', 16],
  [Family.BundleDeploy]: ['bd_', 24],
  [Family.SessionStart]: ['ss_', 24],
};

const SHAPES: Readonly<Record<Family, RegExp>> = {
  [Family.Operation]: /^op_[A-Za-z0-9_-]{32,125}$/,
  [Family.BundleDeploy]: /^bd_[A-Za-z0-9_-]{48,125}$/,
  [Family.SessionStart]: /^ss_[A-Za-z0-9_-]{48,125}$/,
};

/**
 * With a key of the caller's own it is the same for every attempt, so that a retry meets what the first one made; under the
 * pepper, so that nobody can work it out.
 */
export function newId(
  family: Family,
  from?: { readonly pepper: Uint8Array; readonly of: readonly string[] },
): string {
  const [prefix, bytes] = PREFIX[family];
  if (!from) return prefix + randomBytes(bytes).toString('hex');
  const hash = createHmac('sha256', from.pepper).update(
    JSON.stringify(['handover/request', family, ...from.of]),
  );
  return prefix + hash.digest('hex').slice(0, bytes * 2);
}

export function familyOfId(id: string): Family | undefined {
  return Object.values(Family).find((family) => SHAPES[family].test(id));
}

export const operationRef = (tenant: string, id: string): StreamRef<'operation'> => ({
  tenant,
  kind: StreamKind.Operation,
  id,
});
