/**
 * What the requests in whose place this one was made have left behind: a wallet prompt that somebody said was not signed may
 * still be open, and signed late it is paid besides this one.
 *
 * R1. It is read as it stands now: a prompt that was refused since, or whose number was used, is not told of any more.
 * R2. A request that replaces one which had itself replaced another answers for all of them, up to a bound.
 */
import { type AskState, type OperationState, openPrompts, type StepState } from '@handover/core';
import type { CommonView } from '@handover/evm';
import { fixedLimits } from '../../config/fixed-limits.js';
import { iso } from '../../platform/iso.js';
import type { OperationDependencies } from './dependencies.js';
import { operationRef } from './ids.js';
import { type OperationRecord, readRecord } from './record.js';

/** A prompt of an earlier request that may still be open. */
export interface LeftPrompt {
  /** The request for which the wallet was asked. */
  readonly of: string;
  readonly ask: AskState;
  /** The steps of the new request that ask for the same. */
  readonly steps: readonly string[];
}

/** The newest first. */
export async function leftPrompts(
  deps: Pick<OperationDependencies, 'engine'>,
  { ref, state }: OperationRecord,
): Promise<readonly LeftPrompt[]> {
  const left: LeftPrompt[] = [];
  const { value: most } = fixedLimits.replacedRequests;
  for (let { replaces } = state, looked = 0; replaces && looked < most; looked++) {
    const earlier = await readRecord(deps, operationRef(ref.tenant, replaces.id));
    if (!earlier) break;
    for (const ask of openPrompts(earlier.state, state).toReversed())
      left.push({ of: replaces.id, ask, steps: sameSteps(state, earlier.state, ask) });
    replaces = earlier.state.replaces;
  }
  return left;
}

function sameSteps(state: OperationState, earlier: OperationState, ask: AskState): readonly string[] {
  const asked = earlier.steps.filter(({ id }) => ask.steps.includes(id)).map((step) => nameOf(earlier, step));
  const names = new Set(asked.filter((name) => name !== undefined));
  return state.steps.filter((step) => names.has(nameOf(state, step) ?? '')).map(({ id }) => id);
}

/** Where steps do not count for themselves, the same step of the same whole. */
const nameOf = ({ likeness }: OperationState, { id, like }: StepState): string | undefined =>
  like ?? (likeness === undefined ? undefined : `${likeness} ${id}`);

/** The number that such a prompt would use; of one for another call it says nothing. */
export function leftNumber({ ask, steps }: LeftPrompt): {
  readonly account?: string;
  readonly nonce?: number;
} {
  const nonce = ask.pendingNonce ?? ask.nonce;
  if (steps.length === 0 || ask.account === undefined) return {};
  return { account: ask.account, ...(nonce !== undefined && { nonce }) };
}

/** A member of a view, or nothing. */
export async function replacesView(
  deps: Pick<OperationDependencies, 'engine'>,
  record: OperationRecord,
): Promise<Pick<CommonView, 'replaces'>> {
  const { replaces } = record.state;
  if (!replaces) return {};
  const left = await leftPrompts(deps, record);
  const same = left.find(({ steps }) => steps.length > 0);
  return {
    replaces: {
      id: replaces.id,
      createdAt: iso(replaces.at),
      ...(left.length > 0 && { openPrompt: true as const }),
      ...(same && leftNumber(same)),
    },
  };
}
