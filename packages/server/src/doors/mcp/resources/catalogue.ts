/** Every resource of the door, in the order in which it is listed: the seed's four, then the handoffs, operations, the server. */
import type { HandoffDesk } from '../../../services/handoffs/types.js';
import type { OperationDesk } from '../../../services/operations/operation-service.js';
import { handoffResources } from './handoff-resources.js';
import { operationResource } from './operation-resource.js';
import type { ResourceKind } from './resource-kind.js';
import { type ServerResourceParts, serverResources } from './server-resources.js';
import { sessionResources } from './session-resources.js';

export interface CatalogueParts extends ServerResourceParts {
  readonly desk: HandoffDesk;
  readonly operations: Pick<OperationDesk, 'read'>;
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
  'operations/{operationId}',
  'health',
  'metrics',
  'configuration',
] as const;

export function createCatalogue(parts: CatalogueParts): readonly ResourceKind[] {
  return [
    ...sessionResources(parts.desk),
    ...handoffResources(parts.desk),
    operationResource(parts.operations),
    ...serverResources(parts),
  ];
}
