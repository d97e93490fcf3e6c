/** What an agent should know about a record that it has just made. The record itself is made all the same. */
import type { JsonObject, OperationState } from '@handover/core';
import type { OperationSettings } from './dependencies.js';
import type { FamilyService } from './families/family.js';

export function createdWarnings(
  { externalPages, readsChain }: Pick<FamilyService, 'externalPages' | 'readsChain'>,
  { settings }: { readonly settings: OperationSettings },
  { repeats, watched }: OperationState,
): { readonly warnings?: readonly JsonObject[] } {
  const warnings: JsonObject[] = [];
  if (repeats)
    warnings.push({
      code: 'SAME_AS',
      id: repeats.id,
      effect: repeats.effect,
      ...(repeats.steps && { stepIds: [...repeats.steps] }),
    });
  if (readsChain && !watched) warnings.push({ code: 'CHAIN_NOT_READ', message: NOT_READ });
  if (externalPages(settings) !== undefined && !settings.handleOnly)
    warnings.push({ code: 'WORKBENCH_CANNOT_READ', message: CANNOT_READ });
  return warnings.length === 0 ? {} : { warnings };
}

const NOT_READ = 'this server has no RPC for the chain: it has read nothing from it';
const CANNOT_READ =
  'the page of this URL is another server, and HANDOVER_HANDLE_ONLY=0 keeps it from reading the record by its handle';
