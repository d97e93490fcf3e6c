/** What an agent should know about a record that it has just made. The record itself is made all the same. */
import { Effect, type JsonObject, type OperationState } from '@handover/core';
import type { ChainSight } from '@handover/evm';
import { chainSightOf } from './chain-sight.js';
import type { OperationDependencies } from './dependencies.js';
import type { FamilyService } from './families/family.js';
import { operationRef } from './ids.js';
import { type OperationRecord, readRecord } from './record.js';
import { leftNumber, leftPrompts } from './replaced.js';
import { sameWords } from './same-words.js';

export async function createdWarnings(
  { externalPages, readsChain }: Pick<FamilyService, 'externalPages' | 'readsChain'>,
  deps: OperationDependencies,
  record: OperationRecord,
  /** Requests for the same, besides the one that it names. */
  others?: number,
): Promise<{ readonly warnings?: readonly JsonObject[] }> {
  const { settings } = deps;
  const warnings: JsonObject[] = [];
  const warn = (code: PlainWarning, more: JsonObject = {}) =>
    warnings.push({ code, ...more, message: MESSAGES[code] });
  warnings.push(...(await sameAs(deps, record, others)));
  const [left] = await leftPrompts(deps, record);
  if (left) warn(CreateWarning.PromptMayBeOpen, { id: left.of, ...leftNumber(left) });
  if (externalPages(settings) !== undefined && !settings.handleOnly) warn(CreateWarning.WorkbenchCannotRead);
  const unseen = UNSEEN[chainSightOf(deps, record.state)];
  if (unseen) warn(unseen === CreateWarning.Unwatched && readsChain ? CreateWarning.ChainNotRead : unseen);
  return warnings.length === 0 ? {} : { warnings };
}

async function sameAs(
  deps: OperationDependencies,
  { ref, state: { repeats } }: OperationRecord,
  others: number | undefined,
): Promise<readonly JsonObject[]> {
  if (!repeats) return [];
  const { id, effect, steps } = repeats;
  const earlier = await readRecord(deps, operationRef(ref.tenant, id));
  const declined = effect === Effect.None && earlier !== undefined && wasDeclined(earlier.state);
  return [
    {
      code: CreateWarning.SameAs,
      id,
      effect,
      ...(declined && { declined }),
      ...(steps && { stepIds: [...steps] }),
      ...(others !== undefined && { others }),
      message: declined
        ? DECLINED
        : `you made an earlier request for the same, which ${sameWords(effect)}: ${LOOK}`,
    },
  ];
}

const wasDeclined = ({ closing, effect }: OperationState): boolean =>
  effect === Effect.None && closing?.by === 'holder';

const LOOK =
  'look at it before you show this one to anybody. If one of the two is not wanted, cancel it; signed both, it is paid twice';
const DECLINED =
  'you made an earlier request for the same, which the person declined: show this one to them only if they want it after all, else cancel it';

/** Every code in `warnings` of a create tool's answer. */
export const CreateWarning = {
  SameAs: 'SAME_AS',
  PromptMayBeOpen: 'PROMPT_MAY_BE_OPEN',
  Unwatched: 'UNWATCHED',
  ChainNotRead: 'CHAIN_NOT_READ',
  ChainSilent: 'CHAIN_SILENT',
  ChainDiffers: 'CHAIN_DIFFERS',
  WorkbenchCannotRead: 'WORKBENCH_CANNOT_READ',
} as const;
export type CreateWarning = (typeof CreateWarning)[keyof typeof CreateWarning];
/** Its words depend on nothing else. */
type PlainWarning = Exclude<CreateWarning, 'SAME_AS'>;

const UNSEEN: Readonly<Record<ChainSight, PlainWarning | undefined>> = {
  watched: undefined,
  none: CreateWarning.Unwatched,
  silent: CreateWarning.ChainSilent,
  another_chain: CreateWarning.ChainDiffers,
};

const MESSAGES: Readonly<Record<PlainWarning, string>> = {
  PROMPT_MAY_BE_OPEN:
    'a wallet prompt of the request that this one replaces may still be open: tell the person to refuse it in the wallet before they sign this one, or both are paid. Go on waiting for the replaced one, too',
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
