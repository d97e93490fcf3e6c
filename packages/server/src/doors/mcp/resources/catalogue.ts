/**
 * Every resource of the door, in the order in which it is listed: those of docs/usage/resources.md, then the handoffs,
 * operations, the server.
 */
import type { HandoffService } from '../../../services/handoffs/types.js';
import type { OperationService } from '../../../services/operations/operation-service.js';
import { handoffResources } from './handoff-resources.js';
import { operationResource } from './operation-resource.js';
import type { ResourceKind } from './resource-kind.js';
import { type ServerResourceDependencies, serverResources } from './server-resources.js';
import { sessionResources } from './session-resources.js';

export interface CatalogueDependencies extends ServerResourceDependencies {
  readonly handoffs: HandoffService;
  readonly operations: Pick<OperationService, 'read' | 'version'>;
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
  'handoffs/{handoffId}/attachments/{attachment}',
  'handoffs/{handoffId}/receipt',
  'operations/{operationId}',
  'health',
  'metrics',
  'configuration',
] as const;

export function createCatalogue(deps: CatalogueDependencies): readonly ResourceKind[] {
  return [
    ...sessionResources(deps.handoffs),
    ...handoffResources(deps.handoffs),
    operationResource(deps.operations),
    ...serverResources(deps),
  ];
}
