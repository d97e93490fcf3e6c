/** Every resource of the door, in the order in which it is listed: the seed's four, then the handoffs, then the server. */
import type { HandoffDesk } from '../../../pipeline/handoffs/types.js';
import { handoffResources } from './handoff-resources.js';
import type { ResourceKind } from './resource-kind.js';
import { type ServerResourceParts, serverResources } from './server-resources.js';
import { sessionResources } from './session-resources.js';

export interface CatalogueParts extends ServerResourceParts {
  readonly desk: HandoffDesk;
}

/** Below `handoff://`. */
export const RESOURCE_PATHS = [
  'sessions',
  'context/{sessionKey}',
  'summary/{sessionKey}',
  'agents/{agentId}/sessions',
  'agents/{agentId}/inbox',
  'handoffs/{handoffId}',
  'handoffs/{handoffId}/package',
  'handoffs/{handoffId}/receipt',
  'health',
  'metrics',
  'configuration',
] as const;

export function createCatalogue(parts: CatalogueParts): readonly ResourceKind[] {
  return [...sessionResources(parts.desk), ...handoffResources(parts.desk), ...serverResources(parts)];
}
