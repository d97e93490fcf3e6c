/** Why a record or a step stands where it stands, in one code for programs. */
import { asksOf, isDoneEffect, isOpenClaim, isOpenResult } from './effect.js';
import {
  AskStanding,
  type AskState,
  ClaimStanding,
  type ClaimState,
  type OperationState,
  type StepState,
} from './state.js';
import { CONTESTED, Effect, OperationStatus, ReasonCode, Verification } from './words.js';

export interface Reason {
  readonly code: ReasonCode;
  readonly detail?: string;
  /** Of an error of the wallet. */
  readonly walletCode?: number;
  /** Of a replaced transaction: what took its place. */
  readonly by?: string;
  /** The chain shows nothing of it up to this block. */
  readonly through?: number;
}

export function reasonOfStep(
  state: Pick<OperationState, 'asks' | 'watched'>,
  step: StepState,
): Reason | undefined {
  const asks = asksOf(state.asks, step);
  switch (step.effect) {
    case Effect.Exceeded:
      return { code: ReasonCode.PaidTwice };
    case Effect.Done:
    case Effect.Different:
    case Effect.Partial:
      return newest(step.claims, isSettled);
    case Effect.Unknown:
      return (
        newest(step.claims, isOpenClaim) ??
        unverified(state, step) ??
        newest(step.claims, (claim) => isAsideOf(asks, claim)) ??
        reasonOfAsks(asks.filter(isUndecided)) ??
        newest(step.claims)
      );
    case Effect.None:
      // What was set aside was about something else.
      return newest(step.claims, (claim) => claim.standing !== ClaimStanding.Aside) ?? reasonOfAsks(asks);
  }
}

/** Nobody looks at the chain. */
const unverified = (
  { watched }: Pick<OperationState, 'watched'>,
  { claims }: StepState,
): Reason | undefined => (!watched && claims.some(isOpenClaim) ? { code: ReasonCode.Unverified } : undefined);

/** Its ask waits again, and for no other reason. */
const isAsideOf = (asks: readonly AskState[], { standing, ask }: ClaimState): boolean =>
  standing === ClaimStanding.Aside &&
  asks.some(({ id, standing: now }) => id === ask && now === AskStanding.Unclear);

/** What a wallet refused is decided: it is not why nobody knows. */
const isUndecided = ({ standing }: AskState): boolean =>
  standing === AskStanding.Open ||
  standing === AskStanding.Unclear ||
  standing === AskStanding.Quiet ||
  standing === AskStanding.Lapsed;

const isSettled = ({ standing }: ClaimState): boolean =>
  standing === ClaimStanding.Done || standing === ClaimStanding.Different;

function newest(
  claims: readonly ClaimState[],
  counts: (claim: ClaimState) => boolean = () => true,
): Reason | undefined {
  const claim = claims.findLast((one) => counts(one) && one.reason !== undefined);
  if (claim?.reason === undefined) return undefined;
  const { reason: code, detail, by } = claim;
  return { code, ...(detail !== undefined && { detail }), ...(by !== undefined && { by }) };
}

const CODES: Readonly<Record<AskStanding, ReasonCode | undefined>> = {
  [AskStanding.Open]: undefined,
  [AskStanding.Claimed]: undefined,
  [AskStanding.Unclear]: ReasonCode.Unanswered,
  [AskStanding.Lapsed]: ReasonCode.Unanswered,
  [AskStanding.Gone]: ReasonCode.Unanswered,
  [AskStanding.Quiet]: ReasonCode.NotSigned,
  [AskStanding.NotSigned]: ReasonCode.NotSigned,
  [AskStanding.Refused]: ReasonCode.Rejected,
  [AskStanding.NotOpened]: ReasonCode.WalletError,
};

function reasonOfAsks(asks: readonly AskState[]): Reason | undefined {
  const ask = asks.at(-1);
  const code = ask && CODES[ask.standing];
  if (!code) return undefined;
  const { walletCode, through } = ask;
  return {
    code,
    ...(walletCode !== undefined && { walletCode }),
    ...(through !== undefined && { through }),
  };
}

export function reasonOf(state: OperationState): Reason | undefined {
  const { status, steps, effect } = state;
  if (effect === Effect.Exceeded) return { code: ReasonCode.PaidTwice };
  if (status === OperationStatus.Cancelled) return { code: endedBy(state) };
  if (status === OperationStatus.Expired) return { code: ReasonCode.Expired };
  if (status === OperationStatus.Partial) return { code: partBy(state) };
  if (isDoneEffect(effect)) return sentAfter(state) ?? reasonOfFirst(state, steps);
  return reasonOfFirst(state, steps) ?? reasonOfResult(state);
}

/** What the chain says of a result that it has not shown. */
function reasonOfResult(state: OperationState): Reason | undefined {
  const { result } = state;
  if (!result || !isOpenResult(state)) return undefined;
  const { reason: detail, verification } = result;
  if (detail === CONTESTED) return { code: ReasonCode.HashUsed, detail };
  const named = Object.values(ReasonCode).find((code) => code === detail?.toUpperCase());
  const code = named ?? (verification === Verification.Mismatched ? ReasonCode.Mismatched : undefined);
  return code && { code, ...(detail !== undefined && named === undefined && { detail }) };
}

const endedBy = ({ closing }: OperationState): ReasonCode =>
  closing?.by === 'holder' ? ReasonCode.Declined : ReasonCode.Cancelled;

function partBy({ closing }: OperationState): ReasonCode {
  if (!closing) return ReasonCode.Expired;
  return closing.by === 'holder' ? ReasonCode.Stopped : ReasonCode.Cancelled;
}

/** It happened although somebody, or time, had wanted it ended. */
function sentAfter({ closing, late }: OperationState): Reason | undefined {
  if (closing)
    return { code: closing.by === 'holder' ? ReasonCode.SentAfterDecline : ReasonCode.SentAfterCancel };
  return late ? { code: ReasonCode.SentAfterExpiry } : undefined;
}

/** Of the first step that has one: the steps after it wait for it. */
function reasonOfFirst(state: OperationState, steps: readonly StepState[]): Reason | undefined {
  for (const step of steps) {
    const reason = isDoneEffect(step.effect) ? undefined : reasonOfStep(state, step);
    if (reason) return reason;
  }
  return undefined;
}
