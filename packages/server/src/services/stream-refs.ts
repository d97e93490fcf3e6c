/** How the runtime names its streams. */
import { BUILT_IN_MODES, StreamKind, type StreamRef } from '@handover/core';
import { DEFAULT_TENANT } from './dependencies.js';

export const sessionRef = (tenant: string, id: string): StreamRef<'session'> => ({
  tenant,
  kind: StreamKind.Session,
  id,
});
export const modesRef = (tenant: string): StreamRef<'modes'> => ({
  tenant,
  kind: StreamKind.Modes,
  id: 'modes',
});

export function policiesRef(tenant: string, fromFiles: boolean): StreamRef<'policies'> {
  return { tenant: fromFiles ? DEFAULT_TENANT : tenant, kind: StreamKind.Policies, id: 'policies' };
}

/** Built-in modes are code; only a registered one needs the registry when a message is decided. */
export function needsModeRegistry(mode: string): boolean {
  return !BUILT_IN_MODES.has(mode);
}
