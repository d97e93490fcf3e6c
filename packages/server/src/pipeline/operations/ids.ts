/** Locators. They name a record and prove nothing. */
import { randomBytes } from 'node:crypto';
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

export function newId(family: Family): string {
  const [prefix, bytes] = PREFIX[family];
  return prefix + randomBytes(bytes).toString('hex');
}

export function familyOfId(id: string): Family | undefined {
  return Object.values(Family).find((family) => SHAPES[family].test(id));
}

export const operationRef = (tenant: string, id: string): StreamRef => ({
  tenant,
  kind: StreamKind.Operation,
  id,
});
