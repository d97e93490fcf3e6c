/** The parts of a Commitment that follow from the history when its author leaves them out. */
import { MacpSessionError } from '../errors.js';
import type { OutcomeInput } from '../session/inputs.js';
import type { CommitInput } from './inputs.js';
import type { HandoffProjection } from './projection.js';
import type { HandoffRecord } from './records.js';

const DEFAULT_SCOPE = 'handoff';

export function withDefaults(input: CommitInput, projection: HandoffProjection): OutcomeInput {
  const settled = settledOffer(projection);
  return {
    ...input,
    action: input.action ?? defaultAction(settled, input.outcomePositive),
    authorityScope: input.authorityScope ?? (settled?.scope || DEFAULT_SCOPE),
    reason: input.reason ?? defaultReason(settled),
  };
}

/** The offer that the outcome is about: the accepted one, else the one that was declined last. */
function settledOffer(projection: HandoffProjection): HandoffRecord | undefined {
  return (
    projection.acceptedOffer() ??
    [...projection.handoffs.values()].findLast(({ disposition }) => disposition === 'declined')
  );
}

function defaultAction(settled: HandoffRecord | undefined, positive: boolean | undefined): string {
  if (positive !== undefined) return positive ? 'handoff.accepted' : 'handoff.declined';
  if (settled) return `handoff.${settled.disposition}`;
  throw new MacpSessionError(
    'action is missing, and no offer was answered from which it could follow',
    'action',
  );
}

/** Names the new holder, so that the record can be read without the transcript. */
function defaultReason(settled: HandoffRecord | undefined): string {
  if (!settled) return 'no offer was answered';
  const { targetParticipant, disposition, scope, handoffId } = settled;
  return `${targetParticipant} ${disposition} ${scope || handoffId}`;
}
