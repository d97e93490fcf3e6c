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
  if (!watched && readsChain) warnings.push(CHAIN_NOT_READ);
  if (externalPages(settings) !== undefined && !settings.handleOnly)
    warnings.push({ code: 'WORKBENCH_CANNOT_READ', message: CANNOT_READ });
  if (!watched && !readsChain) warnings.push(UNWATCHED);
  return warnings.length === 0 ? {} : { warnings };
}

const CHAIN_NOT_READ = {
  code: 'CHAIN_NOT_READ',
  message:
    'this server has no RPC for the chain: it has read nothing from it, and cannot check what becomes of this',
};
const UNWATCHED = {
  code: 'UNWATCHED',
  message:
    'this server has no RPC for the chain: it records what the wallet says and can prove nothing; the effect stays unknown once a wallet was asked',
};
const CANNOT_READ =
  'the page of this URL is another server, and HANDOVER_HANDLE_ONLY=0 keeps it from reading the record by its handle';
