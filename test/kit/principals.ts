/** Principals for tests that call a service directly, without a door that reads a credential. */
import type { Principal } from '../../packages/server/src/auth/principal.js';
import { ALL_SCOPES, DEFAULT_SCOPES } from '../../packages/server/src/auth/scopes.js';

export function agent(name: string, more: Partial<Principal> = {}): Principal {
  return {
    tenant: 'default',
    agent: name,
    canStartSessions: true,
    canManageModeRegistry: false,
    isObserver: false,
    scopes: DEFAULT_SCOPES,
    ...more,
  };
}

export const admin = (name: string): Principal => agent(name, { scopes: ALL_SCOPES });
export const alice = agent('alice');
export const bob = agent('bob');
export const carol = agent('carol');
export const mallory = agent('mallory');
