/**
 * What moved, as far as anybody knows. It follows from asks and claims alone.
 *
 * E1. `none` only where every ask is known to have come to nothing. A wallet's word is enough for that; the word of
 *     whoever holds the link is not before the chain was watched for a while.
 * E2. What happened to a step that is done changes nothing any more, except that it may have happened twice.
 */
import {
  AskStanding,
  type AskState,
  ClaimStanding,
  type ClaimState,
  type OperationFacts,
  type StepFacts,
} from './state.js';
import { Basis, Effect, OperationStatus, Verification } from './words.js';

export type Asks = readonly AskState[];

export const asksOf = (asks: Asks, step: Pick<StepFacts, 'id'>): Asks =>
  asks.filter(({ steps }) => steps.includes(step.id));

export const isWaiting = ({ standing }: AskState): boolean =>
  standing === AskStanding.Open || standing === AskStanding.Unclear;
const isQuiet = ({ standing }: AskState): boolean => standing === AskStanding.Quiet;
const isLapsed = ({ standing }: AskState): boolean => standing === AskStanding.Lapsed;
export const isOpenClaim = ({ standing }: ClaimState): boolean => standing === ClaimStanding.Open;

export function stepEffect(step: StepFacts, all: Asks): Effect {
  const { claims, shown = false } = step;
  const done = claims.filter(({ standing }) => standing === ClaimStanding.Done);
  const carriers = new Set(done.flatMap(carriersOf));
  const different = claims.some(({ standing }) => standing === ClaimStanding.Different);
  const isDone = carriers.size > 0 || shown;
  if (carriers.size > 1 || (isDone && different)) return Effect.Exceeded;
  if (isDone) return Effect.Done;
  if (different) return Effect.Different;
  const asks = asksOf(all, step);
  const open = asks.some((ask) => isWaiting(ask) || isQuiet(ask) || isLapsed(ask));
  return open || claims.some(isOpenClaim) ? Effect.Unknown : Effect.None;
}

/** One transaction can hold the asked call several times. */
function carriersOf({ carrier, value, frames }: ClaimState): readonly string[] {
  const hash = carrier ?? value;
  return frames ? frames.map((frame) => `${hash}/${frame}`) : [hash];
}

export const isDoneEffect = (effect: Effect): boolean => effect === Effect.Done || effect === Effect.Exceeded;

export function recordEffect(facts: OperationFacts): Effect {
  const { steps, asks } = facts;
  const effects = steps.filter(({ skipped }) => !skipped).map((step) => stepEffect(step, asks));
  if (effects.includes(Effect.Exceeded)) return Effect.Exceeded;
  const rest = looseEffect(facts);
  if (effects.includes(Effect.Different) || rest === Effect.Different) return Effect.Different;
  if (effects.includes(Effect.Unknown) || rest === Effect.Unknown) return Effect.Unknown;
  // What stands on the chain already is done; a request that asks for nothing never is.
  if (steps.length > 0 && effects.every((effect) => effect === Effect.Done)) return Effect.Done;
  return effects.includes(Effect.Done) ? Effect.Partial : Effect.None;
}

/** A result says that something was done, and the chain has not shown it. One that it contradicts was told even so. */
export const isOpenResult = ({ result }: Pick<OperationFacts, 'result'>): boolean =>
  result !== undefined &&
  result.outcome !== OperationStatus.Failed &&
  result.verification !== Verification.Matched;

/** Claims and results that name no step say nothing more once every step is done. */
function looseEffect(facts: OperationFacts): Effect {
  const { steps, asks, loose } = facts;
  if (steps.every((step) => step.skipped || isDoneEffect(stepEffect(step, asks)))) return Effect.None;
  if (loose.some(({ standing }) => standing === ClaimStanding.Different)) return Effect.Different;
  return loose.some(isOpenClaim) || isOpenResult(facts) ? Effect.Unknown : Effect.None;
}

export interface Pending {
  /** A wallet may still be asked: W. */
  readonly waiting: boolean;
  /** A claim is not settled: O. */
  readonly open: boolean;
  /** A quiet time runs: Q. */
  readonly quiet: boolean;
}

/** What is still to come, of steps that are not done. */
export function pendingOf(facts: OperationFacts): Pending {
  const { steps, asks, loose } = facts;
  const left = steps.filter((step) => !step.skipped && !isDoneEffect(stepEffect(step, asks)));
  const own = left.flatMap((step) => asksOf(asks, step));
  return {
    waiting: own.some(isWaiting),
    open:
      left.some(({ claims }) => claims.some(isOpenClaim)) ||
      (left.length > 0 && (loose.some(isOpenClaim) || isOpenResult(facts))),
    quiet: own.some(isQuiet),
  };
}

const ORDER: readonly Basis[] = [Basis.Wallet, Basis.Holder, Basis.Page, Basis.Chain];

/** On whose word the effect of a record rests. */
export function basisOf({ steps, asks, loose, result }: OperationFacts): readonly Basis[] {
  const claims = [...steps.flatMap((step) => step.claims), ...loose];
  const words = new Set<Basis>([...asks.flatMap(basisOfAsk), ...claims.flatMap(basisOfClaim)]);
  if (result) words.add(Basis.Page);
  if (steps.some(({ shown }) => shown)) words.add(Basis.Chain);
  return words.size === 0 ? [Basis.NotAsked] : ORDER.filter((word) => words.has(word));
}

function basisOfAsk({ standing, walletCode }: AskState): readonly Basis[] {
  switch (standing) {
    case AskStanding.Claimed:
      return [];
    case AskStanding.Refused:
      return [Basis.Wallet];
    case AskStanding.NotOpened:
    case AskStanding.Unclear:
      return [walletCode === undefined ? Basis.Page : Basis.Wallet];
    case AskStanding.Quiet:
      return [Basis.Holder];
    case AskStanding.NotSigned:
      return [Basis.Holder, Basis.Chain];
    case AskStanding.Gone:
      return [Basis.Chain];
    case AskStanding.Open:
    case AskStanding.Lapsed:
      return [Basis.Page];
  }
}

function basisOfClaim({ standing, source }: ClaimState): readonly Basis[] {
  if (standing !== ClaimStanding.Open) return [Basis.Chain];
  return [source === 'holder' ? Basis.Holder : source === 'page' ? Basis.Page : Basis.Chain];
}
