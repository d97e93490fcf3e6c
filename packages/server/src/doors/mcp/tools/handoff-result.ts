/** The answer of every tool for one handoff: the common fields, the handoff, and what to do next. */
import type { JsonObject } from '@handover/core';
import { iso } from '../../../platform/iso.js';
import type { HandoffView } from '../../../services/handoffs/types.js';
import { mapOutcome, type Outcome } from '../../../services/outcome.js';
import { handoffJson } from '../translate.js';

export function handoffAnswer(outcome: Outcome<HandoffView>, now: () => number): Outcome<JsonObject> {
  return mapOutcome(outcome, (handoff) => ({
    handoffId: handoff.handoffId,
    status: handoff.status,
    timestamp: iso(now()),
    handoff: handoffJson(handoff),
    instructions: handoff.instruction,
  }));
}
