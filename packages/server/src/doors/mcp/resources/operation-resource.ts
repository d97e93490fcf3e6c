/** An operation of any family as a resource: it shows what the get tool shows to the creator, and can be followed. */
import { Scope } from '../../../auth/scopes.js';
import type { OperationService } from '../../../services/operations/operation-service.js';
import { operationTopic } from '../changes/topics.js';
import type { ResourceKind } from './resource-kind.js';

export function operationResource(service: Pick<OperationService, 'read' | 'version'>): ResourceKind {
  return {
    name: 'operation',
    title: 'An operation',
    description:
      'One operation, bundle deploy or session start of yours: status, verification, steps, receipt.',
    path: 'operations/{operationId}',
    scope: Scope.HANDOFF_READ,
    read: ({ values: { operationId = '' } }, principal) => service.read(principal, operationId),
    watch: {
      topics: ({ values: { operationId = '' } }) => [operationTopic(operationId)],
      version: ({ values: { operationId = '' } }, principal) => service.version(principal, operationId),
    },
  };
}
