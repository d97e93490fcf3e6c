/** Which asks claims answer, and what becomes of an ask when its claim turns out to be something else. */
import type { Judgement, NewClaim } from './command.js';
import { asksOf, isDoneEffect, isWaiting, stepEffect } from './effect.js';
import { isSought } from './sought.js';
import {
  AskStanding,
  type AskState,
  ClaimStanding,
  type ClaimState,
  type OperationFacts,
  type OperationState,
} from './state.js';
import { CONTESTED, ReasonCode, Verification } from './words.js';

/** Whether two names mean one claim: its value, or one that it had before. */
export const isNamed = ({ value: own, was }: ClaimState, value: string): boolean =>
  own === value || was?.includes(value) === true;

/** It was taken back since no node had seen it. It may turn up after all. */
export const isForgotten = ({ standing, reason }: ClaimState): boolean =>
  standing === ClaimStanding.Aside && reason === ReasonCode.NotSeen;

/** What was asked for was done by the account that was asked, and counts for somebody else's request. */
export const isContested = ({ standing, detail }: ClaimState): boolean =>
  standing === ClaimStanding.Aside && detail === CONTESTED;

/** An ask for several steps is answered when each of them has a claim of it. */
export function answeredAsk(ask: AskState, steps: OperationFacts['steps']): AskState {
  if (isClaimedWhole(ask, steps)) return { ...ask, standing: AskStanding.Claimed };
  // Whatever was said of it was not the whole truth, so nobody knows of its other steps.
  return isWaiting(ask) || ask.standing === AskStanding.Quiet
    ? ask
    : { ...ask, standing: AskStanding.Unclear };
}

const isClaimedWhole = ({ id, steps: own }: AskState, steps: OperationFacts['steps']): boolean =>
  steps
    .filter((step) => own.includes(step.id))
    .every(({ claims }) => claims.some((one) => one.ask === id && one.standing !== ClaimStanding.Aside));

export const claimsOf = (
  { steps }: Pick<OperationFacts, 'steps'>,
  { id }: Pick<AskState, 'id'>,
): readonly ClaimState[] => steps.flatMap(({ claims }) => claims).filter(({ ask }) => ask === id);

const isUnseen = ({ standing, reason }: ClaimState): boolean =>
  standing === ClaimStanding.Open && reason === ReasonCode.NotSeen;

/** No node has ever seen what was claimed; at least one claim says so. */
export const areUnseen = (claims: readonly ClaimState[]): boolean =>
  claims.some(isUnseen) && claims.every((claim) => isUnseen(claim) || claim.standing === ClaimStanding.Aside);

/** Somebody says that nothing was signed, so what no node has seen is set aside. */
export function unseenAside(state: OperationState, ask: string): Pick<OperationFacts, 'steps'> {
  const aside = (claim: ClaimState): ClaimState =>
    claim.ask === ask && isUnseen(claim)
      ? { ...claim, standing: ClaimStanding.Aside, verification: Verification.Unverified }
      : claim;
  return { steps: state.steps.map((step) => ({ ...step, claims: step.claims.map(aside) })) };
}

/** The claim belongs to something else, so nobody knows how its ask ended. */
export function waitingAgain(state: OperationFacts, judgement: Judgement, seq: number): OperationFacts {
  const { step: named, serves, value } = judgement;
  const step = named ?? serves;
  const claims = step === undefined ? state.loose : state.steps.find(({ id }) => id === step)?.claims;
  const set = claims?.find((claim) => isNamed(claim, value));
  if (!set) return state;
  if (set.ask === undefined) return withImpliedAsk(state, step, set, seq);
  const asks = state.asks.map((ask) =>
    ask.id === set.ask && !isClaimedWhole(ask, state.steps) ? { ...ask, standing: AskStanding.Unclear } : ask,
  );
  return { ...state, asks };
}

/**
 * A page that makes no asks has told of something, so a wallet was asked. It is not known what that wallet has signed: as
 * for an ask that nobody answered.
 */
function withImpliedAsk(
  state: OperationFacts,
  step: string | undefined,
  set: ClaimState,
  seq: number,
): OperationFacts {
  const { steps, asks, connected } = state;
  const open = steps.filter((one) => !one.skipped && !isDoneEffect(stepEffect(one, asks)));
  const about = step === undefined ? open[0] : open.find(({ id }) => id === step);
  if (!about || asksOf(asks, about).some(isUnanswered)) return state;
  const only = connected.length === 1 ? connected[0] : undefined;
  const implied: AskState = {
    id: `ask_f${String(seq).padStart(23, '0')}`,
    steps: [about.id],
    at: set.at,
    standing: AskStanding.Unclear,
    ...only,
  };
  const linked = steps.map((one) =>
    one.id === about.id
      ? { ...one, claims: one.claims.map((claim) => (claim === set ? { ...claim, ask: implied.id } : claim)) }
      : one,
  );
  return { ...state, steps: linked, asks: [...asks, implied] };
}

/**
 * The ask that a claim answers when it names none: the only one that waits for anything; else the only one of which what
 * was claimed shows nothing, such as a mistyped hash.
 */
export function askFor(
  { asks, steps }: Pick<OperationFacts, 'asks' | 'steps'>,
  { step: id, ask }: NewClaim,
): string | undefined {
  if (ask !== undefined || id === undefined) return ask;
  const own = asksOf(asks, { id });
  const unanswered = own.filter(isUnanswered);
  if (unanswered.length > 0) return unanswered.length === 1 ? unanswered[0]?.id : undefined;
  const step = steps.find((one) => one.id === id);
  const sought = step ? own.filter((one) => isSought(one, step)) : [];
  return sought.length === 1 ? sought[0]?.id : undefined;
}

const UNANSWERED: readonly AskStanding[] = [
  AskStanding.Open,
  AskStanding.Unclear,
  AskStanding.Quiet,
  AskStanding.Lapsed,
];
const isUnanswered = ({ standing }: AskState): boolean => UNANSWERED.includes(standing);
