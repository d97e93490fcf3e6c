/** Whether a carrier is older than the request (review:C4): it belongs to something else then, whoever claims it. */
import type { BlockRef, OperationState, StepState } from '@handover/core';
import type { ChainClient } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Proof } from '../../services/operations/families/family.js';
import type { OperationRecord } from '../../services/operations/record.js';

export type Mined = Pick<Proof, 'block' | 'verdict'>;

/**
 * By the heads that were recorded, and by its time. A node that stood still when the request was made gave a head that
 * was old already, so a block after that may still be older than the request. However many requests are compared with one
 * carrier, its time is read once.
 */
export function ageOf(
  client: ChainClient,
  { block, verdict }: Mined,
): (record: OperationRecord, step: StepState) => Promise<boolean> {
  let time: Promise<number | null> | undefined;
  return async ({ state }, step) => {
    if (!block) return false;
    const isOlder = isBeforeHeads(state, step, block);
    if (isOlder) return true;
    // Its time is read when it is about to count, not at each look until then.
    if (isOlder === false && verdict === 'pending') return false;
    time ??= client.blockTime(block.number);
    const at = await time;
    return at !== null && at < state.createdAt - fixedLimits.chainClockMs.value;
  };
}

export const isTooOld = (
  client: ChainClient,
  record: OperationRecord,
  step: StepState,
  found: Mined,
): Promise<boolean> => ageOf(client, found)(record, step);

/** A head was recorded with the request, or with the asks that came after it. Undefined: the chain could not be read then. */
function isBeforeHeads(state: OperationState, step: StepState, { number }: BlockRef): boolean | undefined {
  if (state.head !== undefined) return number <= state.head;
  const asked = state.asks.filter(({ steps }) => steps.includes(step.id)).map(({ head }) => head);
  const heads = asked.filter((head) => head !== undefined);
  if (heads.some((head) => number > head)) return false;
  // Nobody can have signed it before the first ask.
  return heads.length > 0 && heads.length === asked.length ? true : undefined;
}
