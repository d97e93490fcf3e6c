/** Where the steps of a record stand, as all families show it. */
import {
  ClaimStanding,
  type ClaimState,
  claimAccount,
  type JsonObject,
  type OperationState,
  type Reason,
  reasonOfStep,
  type StepState,
  StepStatus,
  shownClaim,
  shownHash,
  Verification,
  verificationOfStep,
} from '@handover/core';
import type { ClaimView, ReasonView, StepProgress } from '@handover/evm';

export function stepProgress(
  state: OperationState,
  step: StepState,
  events: readonly JsonObject[],
): StepProgress {
  const { id, status, effect, claims } = step;
  const claim = shownClaim(step);
  const reason = reasonOfStep(state, step);
  // Where the browser gave no text, it is the word for what the chain showed.
  const error = isErrorInEvents(step)
    ? lastError(state, step, events)
    : claim && isOff(claim)
      ? claim.detail
      : undefined;
  return {
    id,
    status,
    verification: verificationOfStep(step),
    effect,
    // What was set aside belongs to something else: it stands among the claims alone.
    ...(claim && claim.standing !== ClaimStanding.Aside && claimed(claim)),
    ...(claims.length > 0 && { claims: claims.map((one) => claimView(one, claimAccount(state, step, one))) }),
    ...reasonView(reason),
    ...(error !== undefined && { error }),
  };
}

const isOff = ({ verification, standing }: ClaimState): boolean =>
  verification === Verification.Mismatched || standing === ClaimStanding.Nothing;

function claimed(claim: ClaimState): Partial<StepProgress> {
  const { kind, value, contract, owner, block } = claim;
  const txHash = shownHash(claim);
  return {
    ...(txHash !== undefined && { txHash }),
    ...(kind === 'session' && { sessionId: value }),
    ...(contract !== undefined && { contract }),
    ...(owner !== undefined && { owner }),
    ...(block && { blockNumber: block.number }),
  };
}

function claimView(claim: ClaimState, account: string | undefined): ClaimView {
  const { kind, value, source, verification, ask, carrier, frames, proof, owners, fee } = claim;
  const { block, boundBy, reason, detail, by, was } = claim;
  return {
    kind,
    value,
    source,
    verification,
    ...(ask !== undefined && { askId: ask }),
    ...(account !== undefined && { account }),
    ...(carrier !== undefined && { carrier }),
    ...(frames && { frames }),
    ...(proof !== undefined && { proof }),
    ...(owners !== undefined && { owners }),
    ...(fee !== undefined && { fee }),
    ...(block && { blockNumber: block.number }),
    ...(boundBy !== undefined && { boundBy }),
    ...(reason !== undefined && { reasonCode: reason }),
    ...(detail !== undefined && { reasonDetail: detail }),
    ...(by !== undefined && { by }),
    ...(was && { was }),
  };
}

export function reasonView(reason: Reason | undefined): ReasonView {
  if (!reason) return {};
  const { code, detail, walletCode, through } = reason;
  return {
    reasonCode: code,
    ...(detail !== undefined && { reasonDetail: detail }),
    ...(walletCode !== undefined && { walletCode }),
    ...(through !== undefined && { reasonBlock: through }),
  };
}

/**
 * True when the browser's error text must be read from the events: the state keeps no texts. While nothing was claimed, it
 * is all that is known of an ask which a wallet answered with an error, however that is to be taken.
 */
export const isErrorInEvents = ({ status, claims }: Pick<StepState, 'status' | 'claims'>): boolean =>
  (status === StepStatus.Failed || status === StepStatus.Requested) && claims.length === 0;

/** Of the newest ask. Under the rules of 0.1.0 a step had errors. */
function lastError(
  { asks }: OperationState,
  { id, status }: StepState,
  events: readonly JsonObject[],
): string | undefined {
  const newest = asks.findLast(({ steps }) => steps.includes(id))?.id;
  const failure = events.findLast(
    ({ stepId, askId, error }) =>
      error !== undefined &&
      (askId === undefined ? status === StepStatus.Failed && stepId === id : askId === newest),
  );
  return typeof failure?.error === 'string' ? failure.error : undefined;
}
