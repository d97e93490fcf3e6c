import type { Principal } from '../../auth/principal.js';
import { ALL_SCOPES } from '../../auth/scopes.js';
import { DEFAULT_TENANT } from '../../services/dependencies.js';

/** Whoever can read the token file owns the data anyway, so there is nothing to keep from them but each other's names. */
export function stdioPrincipal(agent: string): Principal {
  return {
    tenant: DEFAULT_TENANT,
    agent,
    canStartSessions: true,
    canManageModeRegistry: true,
    isObserver: false,
    scopes: ALL_SCOPES,
  };
}
