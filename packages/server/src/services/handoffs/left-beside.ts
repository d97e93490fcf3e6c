/** The instruction that its owner gave beside an offer: its target may have the work until then, also after the offer is over. */
import { liveInstruction, type Parked, type WorklogState } from '@handover/core';
import type { FoundHandoff } from './find-handoff.js';

export function leftBeside(
  state: WorklogState | undefined,
  { session: { binding }, offer: { target } }: Pick<FoundHandoff, 'session' | 'offer'>,
  now: number,
): Parked | undefined {
  const live = state && liveInstruction(state, now);
  const isSame = live?.takers[0] === target && live.requestType === binding?.requestType;
  return isSame ? live : undefined;
}
