/** The answer of every tool for one handoff: the common fields, and the handoff with what to do next. */
import type { JsonObject } from '@handover/core';
import { iso } from '../../../platform/iso.js';
import type { HandoffView } from '../../../services/handoffs/types.js';
import { mapOutcome, type Outcome } from '../../../services/outcome.js';
import { shortHandoff } from '../short-handoff.js';
import { jsonBytes } from '../token-room.js';

export function handoffAnswer(
  outcome: Outcome<HandoffView>,
  now: () => number,
  /** That the answer may take. */
  bytes: number,
  /** Of each text that others wrote; absent: nobody asked for them. */
  characters?: number,
): Outcome<JsonObject> {
  return mapOutcome(outcome, (view) => {
    const { handoffId, status } = view;
    const common = { handoffId, status, timestamp: iso(now()) };
    const room = bytes - jsonBytes({ ...common, handoff: {} });
    return { ...common, handoff: shortHandoff(view, room, characters) };
  });
}
