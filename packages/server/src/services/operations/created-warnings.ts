/** What an agent should know about a record that it has just made. The record itself is made all the same. */
import type { JsonObject, OperationState } from '@handover/core';
import type { ChainSight } from '@handover/evm';
import { chainSightOf } from './chain-sight.js';
import type { OperationDependencies } from './dependencies.js';
import type { FamilyService } from './families/family.js';

export function createdWarnings(
  { externalPages, readsChain }: Pick<FamilyService, 'externalPages' | 'readsChain'>,
  deps: Pick<OperationDependencies, 'settings' | 'chainTroubles'>,
  state: OperationState,
): { readonly warnings?: readonly JsonObject[] } {
  const { settings } = deps;
  const { repeats } = state;
  const warnings: JsonObject[] = [];
  const warn = (code: CreateWarning, more: JsonObject = {}) =>
    warnings.push({ code, ...more, message: MESSAGES[code] });
  if (repeats)
    warn(CreateWarning.SameAs, {
      id: repeats.id,
      effect: repeats.effect,
      ...(repeats.steps && { stepIds: [...repeats.steps] }),
    });
  if (externalPages(settings) !== undefined && !settings.handleOnly) warn(CreateWarning.WorkbenchCannotRead);
  const unseen = UNSEEN[chainSightOf(deps, state)];
  if (unseen) warn(unseen === CreateWarning.Unwatched && readsChain ? CreateWarning.ChainNotRead : unseen);
  return warnings.length === 0 ? {} : { warnings };
}

/** Every code in `warnings` of a create tool's answer. */
export const CreateWarning = {
  SameAs: 'SAME_AS',
  Unwatched: 'UNWATCHED',
  ChainNotRead: 'CHAIN_NOT_READ',
  ChainSilent: 'CHAIN_SILENT',
  ChainDiffers: 'CHAIN_DIFFERS',
  WorkbenchCannotRead: 'WORKBENCH_CANNOT_READ',
} as const;
export type CreateWarning = (typeof CreateWarning)[keyof typeof CreateWarning];

const UNSEEN: Readonly<Record<ChainSight, CreateWarning | undefined>> = {
  watched: undefined,
  none: CreateWarning.Unwatched,
  silent: CreateWarning.ChainSilent,
  another_chain: CreateWarning.ChainDiffers,
};

const MESSAGES: Readonly<Record<CreateWarning, string>> = {
  SAME_AS:
    'you made an earlier request for the same, which was paid, or may have been or may still be: look at it before you show this one to anybody. If one of the two is not wanted, cancel it; signed both, it is paid twice',
  CHAIN_NOT_READ:
    'this server has no RPC for the chain: it has read nothing from it, and cannot check what becomes of this',
  UNWATCHED:
    'this server has no RPC for the chain: it records what the wallet says and can prove nothing; the effect stays unknown once a wallet was asked',
  CHAIN_SILENT:
    'the RPC of this chain does not answer now: what the wallet says is recorded and not verified until it answers; until then the effect stays unknown once a wallet was asked',
  CHAIN_DIFFERS:
    'the RPC that is set for this chain serves another one: tell the operator. What the wallet says is recorded and not verified until that is mended; until then the effect stays unknown once a wallet was asked',
  WORKBENCH_CANNOT_READ:
    'the page of this URL is another server, and HANDOVER_HANDLE_ONLY=0 keeps it from reading the record by its handle',
};
