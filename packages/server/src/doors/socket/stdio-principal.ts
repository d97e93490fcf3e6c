import type { Principal } from '../../auth/principal.js';
import { ALL_SCOPES } from '../../auth/scopes.js';
import { scopesOfSets, type ToolSetName } from '../../auth/tool-sets.js';
import { DEFAULT_TENANT } from '../../services/dependencies.js';

/**
 * Whoever can read the token file owns the data anyway, so a command has all scopes and may change the registries. An
 * assistant has those of the tool sets that it was started with: its user chose them. It is not an observer: an agent
 * reads only sessions of which it is a member.
 */
export function stdioPrincipal(agent: string, sets?: ReadonlySet<ToolSetName>): Principal {
  return {
    tenant: DEFAULT_TENANT,
    agent,
    canStartSessions: true,
    canManageModeRegistry: true,
    isObserver: false,
    scopes: sets ? scopesOfSets(sets) : ALL_SCOPES,
  };
}
