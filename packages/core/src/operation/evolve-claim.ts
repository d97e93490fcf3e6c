/** How claims, and what the chain says of them, change a record. */
import type { Judgement, NewClaim } from './command.js';
import { asksOf } from './effect.js';
import {
  AskStanding,
  type AskState,
  ClaimStanding,
  type ClaimState,
  isOver,
  type OperationFacts,
  type OperationState,
} from './state.js';
import { ReasonCode, Verification } from './words.js';

export function claimed(state: OperationState, claim: NewClaim, at: number): OperationFacts {
  const { step, ...named } = claim;
  const { ended: _ended, ...present } = state;
  const fresh: ClaimState = {
    ...named,
    at,
    standing: ClaimStanding.Open,
    verification: Verification.Unverified,
  };
  const reopened = isOver(state) ? state.reopened + 1 : state.reopened;
  const asks = state.asks.map((ask) =>
    ask.id === claim.ask ? { ...ask, standing: AskStanding.Claimed } : ask,
  );
  const next = { ...present, asks, reopened, windowOver: false, late: state.late || at > state.expiresAt };
  if (step === undefined) return { ...next, loose: [...state.loose, fresh] };
  const steps = state.steps.map((one) =>
    one.id === step ? { ...one, claims: [...one.claims, fresh] } : one,
  );
  return { ...next, steps };
}

/** Whether two names mean one claim: its value, or one that it had before. */
export const isNamed = ({ value: own, was }: ClaimState, value: string): boolean =>
  own === value || was?.includes(value) === true;

export function judged(state: OperationState, judgement: Judgement): OperationFacts {
  const { step, value, serves } = judgement;
  const judge = (claims: readonly ClaimState[]) =>
    claims.map((claim) => (isNamed(claim, value) ? judgedClaim(claim, judgement) : claim));
  const next =
    step !== undefined
      ? {
          ...state,
          steps: state.steps.map((one) => (one.id === step ? { ...one, claims: judge(one.claims) } : one)),
        }
      : serves !== undefined
        ? moved(state, value, serves, judgement)
        : { ...state, loose: judge(state.loose) };
  return judgement.verdict === 'aside' ? waitingAgain(next, judgement) : next;
}

/** A claim without a step turned out to serve this one. */
function moved(state: OperationState, value: string, step: string, judgement: Judgement): OperationFacts {
  const found = state.loose.find((claim) => isNamed(claim, value));
  if (!found) return state;
  return {
    ...state,
    loose: state.loose.filter((claim) => claim !== found),
    steps: state.steps.map((one) =>
      one.id === step ? { ...one, claims: [...one.claims, judgedClaim(found, judgement)] } : one,
    ),
  };
}

const STANDINGS: Readonly<Record<Judgement['verdict'], ClaimStanding>> = {
  pending: ClaimStanding.Open,
  reorged: ClaimStanding.Open,
  shallow: ClaimStanding.Open,
  faster: ClaimStanding.Open,
  matched: ClaimStanding.Done,
  reverted: ClaimStanding.Nothing,
  replaced: ClaimStanding.Nothing,
  different: ClaimStanding.Different,
  aside: ClaimStanding.Aside,
};

const WORDS: Readonly<Record<Judgement['verdict'], Verification>> = {
  pending: Verification.Pending,
  reorged: Verification.Reorged,
  shallow: Verification.Mismatched,
  faster: Verification.Pending,
  matched: Verification.Matched,
  // The transaction is the one that was asked for; it had no effect.
  reverted: Verification.Matched,
  replaced: Verification.Mismatched,
  different: Verification.Mismatched,
  aside: Verification.Mismatched,
};

function judgedClaim(claim: ClaimState, judgement: Judgement): ClaimState {
  const { verdict, block, carrier, proof, boundBy, contract, sender, nonce, detail, by } = judgement;
  const { frames, kind, owners, fee } = judgement;
  const { block: seen, reason: before, detail: _detail, ...kept } = claim;
  const reason =
    judgement.reason ?? (verdict === 'pending' && before === ReasonCode.SpedUp ? before : undefined);
  // A receipt that is gone was seen nowhere.
  const place = block ?? (verdict === 'reorged' ? undefined : seen);
  return {
    ...kept,
    ...(verdict === 'faster' && by !== undefined && { value: by, was: [...(claim.was ?? []), claim.value] }),
    standing: STANDINGS[verdict],
    verification: WORDS[verdict],
    ...(place && { block: place }),
    ...(carrier !== undefined && { carrier }),
    ...(frames && { frames }),
    ...(kind !== undefined && { kind }),
    ...(owners !== undefined && { owners }),
    ...(fee !== undefined && { fee }),
    ...(proof !== undefined && { proof }),
    ...(boundBy !== undefined && { boundBy }),
    ...(contract !== undefined && { contract }),
    ...(sender !== undefined && { sender }),
    ...(nonce !== undefined && { nonce }),
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
    ...(verdict === 'replaced' && by !== undefined && { by }),
  };
}

/** The claim belongs to something else, so nobody knows how its ask ended. */
function waitingAgain(state: OperationFacts, { step, value }: Judgement): OperationFacts {
  const set = state.steps.find(({ id }) => id === step)?.claims.find((claim) => isNamed(claim, value));
  const others = state.steps.flatMap(({ claims }) => claims);
  const isAnswered = others.some((claim) => claim.ask === set?.ask && claim.standing !== ClaimStanding.Aside);
  if (set?.ask === undefined || isAnswered) return state;
  const asks = state.asks.map((ask) =>
    ask.id === set.ask ? { ...ask, standing: AskStanding.Unclear } : ask,
  );
  return { ...state, asks };
}

export function resultJudged(
  state: OperationState,
  verification: Verification,
  shown: readonly string[],
  reason: string | undefined,
): OperationFacts {
  if (!state.result) return state;
  const { reason: _before, ...kept } = state.result;
  const result = { ...kept, verification, ...(reason !== undefined && { reason }) };
  const steps = state.steps.map((step) => (shown.includes(step.id) ? { ...step, shown: true } : step));
  return { ...state, result, steps, watched: true };
}

/** The ask that a claim answers when it names none: the only one that waits for anything. */
export function askFor({ asks }: Pick<OperationFacts, 'asks'>, { step, ask }: NewClaim): string | undefined {
  if (ask !== undefined || step === undefined) return ask;
  const unanswered = asksOf(asks, { id: step }).filter(isUnanswered);
  return unanswered.length === 1 ? unanswered[0]?.id : undefined;
}

const UNANSWERED: readonly AskStanding[] = [
  AskStanding.Open,
  AskStanding.Unclear,
  AskStanding.Quiet,
  AskStanding.Lapsed,
];
const isUnanswered = ({ standing }: AskState): boolean => UNANSWERED.includes(standing);
