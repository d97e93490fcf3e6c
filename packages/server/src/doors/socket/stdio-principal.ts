import type { NameFrom, Principal } from '../../auth/principal.js';
import { ALL_SCOPES } from '../../auth/scopes.js';
import { DEFAULT_TENANT } from '../../services/dependencies.js';

/**
 * Whoever can read the token file owns the data anyway, so the principal has all scopes and may change the registries.
 * It is not an observer: an agent reads only sessions of which it is a member.
 */
export function stdioPrincipal(agent: string, nameFrom: NameFrom = 'flag'): Principal {
  return {
    tenant: DEFAULT_TENANT,
    agent,
    canStartSessions: true,
    canManageModeRegistry: true,
    isObserver: false,
    scopes: ALL_SCOPES,
    nameFrom,
  };
}
