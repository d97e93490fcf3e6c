/** W5: what the owner leaves for others. */

import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import { RejectionCode, reject } from '../rejection.js';
import { named } from '../text.js';
import type { WorklogCommand } from './command.js';
import { draft } from './draft.js';
import { WorklogEntryType } from './entry-type.js';
import { roomFlaw, statusFlaw, underWayFlaw } from './flaws.js';
import { liveInstruction, ParkedBy, SESSION_END } from './parked.js';
import type { WorklogState } from './state.js';

type Park = Extract<WorklogCommand, { readonly kind: 'park' }>;

export function decideParking(state: WorklogState, command: Park, stamp: Stamp): Decision {
  const { takers, requestType: request_type, until, by, event, payload } = command;
  if (stamp.agent !== state.owner)
    return rejected(
      reject(RejectionCode.FORBIDDEN, `only the owner, ${named(state.owner)}, may leave it for others`),
    );
  const flaw = statusFlaw(state);
  if (flaw) return rejected(flaw);
  const facts = { takers, request_type, until, by, ...(event !== undefined && { event }) };
  const parked = () => accepted(draft(WorklogEntryType.Parked, stamp, facts, payload));
  const [taker] = takers;
  // There is always room to withdraw, and withdrawing what is not there changes nothing.
  if (taker === undefined) return liveInstruction(state, stamp.at) ? parked() : accepted();
  const full = roomFlaw(state);
  if (full) return rejected(full);
  if (taker === state.owner)
    return rejected(reject(RejectionCode.VALIDATION_ERROR, `${named(taker)} owns the work already`));
  if (!Number.isSafeInteger(until) || until <= stamp.at)
    return rejected(
      reject(RejectionCode.VALIDATION_ERROR, 'the time until which it is left must be in the future'),
    );
  return by === ParkedBy.Hook && outranked(state, event, stamp.at) ? accepted() : parked();
}

/** A hook knows less than the owner, and the end of a conversation says less than what stopped it. */
function outranked(state: WorklogState, event: string | undefined, at: number): boolean {
  if (underWayFlaw(state)) return true;
  const live = liveInstruction(state, at);
  return live !== undefined && (live.by === ParkedBy.Owner || event === SESSION_END);
}
