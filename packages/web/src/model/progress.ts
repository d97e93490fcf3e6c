/** What the pages need to know about the progress of a record. The server decides by the same rules. */
import { Effect, isOpenAfter, isOver, ReasonCode, StepStatus } from '@handover/core';
import type { ClaimView } from '@handover/evm';
import type { HandoffRecord, Sight, Step } from './record.js';

export { isOver };

export const wasSent = ({ status }: Pick<Step, 'status'>): boolean =>
  status === StepStatus.Submitted || status === StepStatus.Confirmed;

const isFinal = (status: StepStatus): boolean =>
  status === StepStatus.Confirmed || status === StepStatus.Skipped;

/** There is something left that can be stopped, and nobody has stopped it. */
export const canDecline = (record: HandoffRecord): boolean =>
  !isOver(record) && !record.closing && (currentStep(record) !== undefined || record.steps.length === 0);

/** Whether the server takes another ask: it refuses them once the record is withdrawn or its time has passed. */
export const canAsk = (record: HandoffRecord): boolean =>
  !isOver(record) && !record.closing && record.late !== true;

/** Something is left, and it may still be signed. */
export const canSign = (record: HandoffRecord): boolean =>
  canAsk(record) && currentStep(record) !== undefined;

/** A wallet was asked for this step at some time. */
export const wasAsked = (record: HandoffRecord, { id, reasonCode, claims = [] }: Step): boolean =>
  reasonCode !== undefined ||
  claims.length > 0 ||
  (record.asks ?? []).some(({ stepIds }) => stepIds.includes(id));

/** Somebody said that an earlier prompt for this step was not signed: it may still be open. */
export const mayHaveOtherPrompt = (record: HandoffRecord, { id, reasonCode }: Step): boolean =>
  reasonCode === ReasonCode.NotSigned ||
  (record.asks ?? []).some(({ stepIds, standing }) => standing === 'quiet' && stepIds.includes(id));

/**
 * What is told is looked for on the network. `watched` is what was so when the request was made, and decides when a step
 * may begin; the server may have got or lost its RPC since then.
 */
export const isLookedAt = ({ watched, chainSight }: Sight): boolean =>
  chainSight === undefined ? watched : chainSight !== 'none';

/** Nobody had seen it, and it was taken back. */
const isTakenBack = ({ verification, reasonCode }: ClaimView): boolean =>
  verification === 'unverified' && reasonCode === ReasonCode.NotSeen;

/** Told, and nothing has been decided about it. */
const isOpenClaim = (claim: ClaimView): boolean => {
  const { verification } = claim;
  return (
    (verification === 'unverified' && !isTakenBack(claim)) ||
    verification === 'pending' ||
    verification === 'reorged'
  );
};

const openClaims = ({ claims = [] }: Step): readonly ClaimView[] => claims.filter(isOpenClaim);

/** A hash was told, and the network has not shown a transaction with it so far: it may be mistyped. */
export const isUnseen = (sight: Sight, step: Step): boolean =>
  isLookedAt(sight) &&
  step.status === StepStatus.Submitted &&
  openClaims(step).length > 0 &&
  openClaims(step).every(isNotFound);

const isNotFound = ({ reasonDetail, reasonCode }: ClaimView): boolean =>
  reasonDetail === 'not_found' || reasonCode === ReasonCode.NotSeen;

/** The same for so long that the server takes it that nothing was signed. */
export const mayNotBeSigned = (step: Step): boolean =>
  step.status === StepStatus.Submitted &&
  openClaims(step).length > 0 &&
  openClaims(step).every(({ reasonCode, askId }) => reasonCode === ReasonCode.NotSeen && askId !== undefined);

/** The owners of a Safe sign it, and nobody has carried it out. */
export const waitsForOwners = ({ status, reasonCode }: Step): boolean =>
  status === StepStatus.Submitted && reasonCode === ReasonCode.SafePending;

/** The hash is that of a transaction, as far as this server can see. */
export const isShownOnChain = (record: HandoffRecord, step: Step): boolean =>
  isLookedAt(record) && !isUnseen(record, step) && !isUnlooked(record, step) && !waitsForOwners(step);

/** Told, and the server has not found it yet. A node knows a session only once it has started. */
export const isUnlooked = (
  record: Sight & Pick<HandoffRecord, 'family'>,
  { status, verification }: Step,
): boolean =>
  isLookedAt(record) &&
  status === StepStatus.Submitted &&
  (verification === 'unverified' || (record.family === 'session_start' && verification === 'pending'));

/** Something of a step that is done may turn out to have been done twice. */
export function spareOf({ steps, asks = [] }: HandoffRecord): 'claim' | 'prompt' | 'unseen' | undefined {
  const done = steps.filter(({ status }) => status === StepStatus.Confirmed);
  const open = done.flatMap(openClaims);
  if (open.some((claim) => !isNotFound(claim))) return 'claim';
  if (asks.some(({ stepIds }) => done.some(({ id }) => stepIds.includes(id)))) return 'prompt';
  return open.length > 0 ? 'unseen' : undefined;
}

/** The ask of a step that is done of which only a hash was told that nobody has seen: the server takes that back. */
export function mistypedAsk({ status, claims = [] }: Step): string | undefined {
  if (status !== StepStatus.Confirmed) return undefined;
  return claims.find(
    (claim) =>
      claim.askId !== undefined &&
      isOpenClaim(claim) &&
      claims.every(({ askId, reasonCode }) => askId !== claim.askId || reasonCode === ReasonCode.NotSeen),
  )?.askId;
}

/** The accounts from whose wallets it was carried out, as far as the chain has shown. */
export const accountsOf = ({ steps }: HandoffRecord): readonly string[] => [
  ...new Set(
    steps
      .flatMap(({ claims = [] }) => claims)
      .filter(({ verification, reasonCode }) => verification === 'matched' && reasonCode === undefined)
      .flatMap(({ account }) => account?.toLowerCase() ?? []),
  ),
];

/** How often the chain shows that a step was carried out as asked; a call may stand in one transaction several times. */
export const timesDone = ({ claims = [] }: Step): number =>
  claims
    .filter(({ verification, reasonCode }) => verification === 'matched' && reasonCode === undefined)
    .reduce((sum, { frames = [] }) => sum + Math.max(1, frames.length), 0);

/** The step that is next; undefined when every step was sent or is final. */
export function currentStep(record: HandoffRecord): Step | undefined {
  return record.steps.find((step) => !wasSent(step) && !isFinal(step.status));
}

/** Whether a step may begin. Steps go in strict order: the step before decides. */
export function isOpen(record: HandoffRecord, step: Step): boolean {
  const before = record.steps[record.steps.indexOf(step) - 1];
  return before === undefined || isOpenAfter(record, { ...before, seen: before.blockNumber !== undefined });
}

/** Whether something may change without this page doing anything. */
export function isMoving(record: HandoffRecord): boolean {
  if (isOver(record)) return false;
  if (record.steps.some(({ status }) => status === StepStatus.Requested)) return true;
  if (!isLookedAt(record) || record.effect === Effect.Different) return false;
  return record.steps.some(wasSent);
}
