/** The parts of a Commitment that follow from the history when its author leaves them out. */
import type { CommitmentPayload } from '@handover/core';
import { buildCommitmentPayload } from '../envelope/build.js';
import { MacpSessionError } from '../errors.js';
import { validateId, validateRequiredField } from '../validation.js';
import type { CommitInput } from './inputs.js';
import type { HandoffProjection } from './projection.js';
import type { HandoffRecord } from './records.js';

export type BoundVersions = Pick<CommitmentPayload, 'modeVersion' | 'configurationVersion' | 'policyVersion'>;

const DEFAULT_SCOPE = 'handoff';

export function commitmentFor(
  input: CommitInput,
  projection: HandoffProjection,
  versions: BoundVersions,
): CommitmentPayload {
  const settled = settledOffer(projection);
  const action = input.action ?? defaultAction(settled, input.outcomePositive);
  const authorityScope = input.authorityScope ?? (settled?.scope || DEFAULT_SCOPE);
  const reason = input.reason ?? defaultReason(settled);
  validateRequiredField('action', action);
  validateRequiredField('authorityScope', authorityScope);
  validateRequiredField('reason', reason);
  if (input.commitmentId !== undefined) validateId('commitmentId', input.commitmentId);
  const { commitmentId, outcomePositive, supersedes } = input;
  return buildCommitmentPayload({
    ...boundVersions(projection, versions),
    action,
    authorityScope,
    reason,
    ...(commitmentId !== undefined && { commitmentId }),
    ...(outcomePositive !== undefined && { outcomePositive }),
    ...(supersedes && { supersedes }),
  });
}

/** What the SessionStart says, where it is known: a joined session may be bound to other versions than the defaults. */
function boundVersions({ sessionStart }: HandoffProjection, fallback: BoundVersions): BoundVersions {
  const { modeVersion, configurationVersion, policyVersion } = sessionStart ?? fallback;
  return { modeVersion, configurationVersion, policyVersion };
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
