/** How claims, and what the chain says of them, change a record. */
import { answeredAsk, isForgotten, isNamed, waitingAgain } from './claims-of-asks.js';
import type { Judgement, NewClaim } from './command.js';
import { ClaimStanding, type ClaimState, isOver, type OperationFacts, type OperationState } from './state.js';
import { ClaimKind, NOT_STARTED, ReasonCode, Verification } from './words.js';

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
  const next = { ...present, reopened, windowOver: false, late: state.late || at > state.expiresAt };
  if (step === undefined) return { ...next, loose: [...state.loose, fresh] };
  const steps = state.steps.map((one) =>
    one.id === step ? { ...one, claims: [...one.claims.filter((old) => !isAgain(old, fresh)), fresh] } : one,
  );
  const asks = state.asks.map((ask) => (ask.id === claim.ask ? answeredAsk(ask, steps) : ask));
  return { ...next, steps, asks };
}

const isAgain = (old: ClaimState, { value }: ClaimState): boolean => isForgotten(old) && isNamed(old, value);

export function judged(state: OperationState, judgement: Judgement, seq: number): OperationFacts {
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
  return judgement.verdict === 'aside' ? waitingAgain(next, judgement, seq) : next;
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
  // The transaction is the one that was asked for; it had no effect. One that is not is set aside.
  reverted: Verification.Matched,
  replaced: Verification.Mismatched,
  different: Verification.Mismatched,
  aside: Verification.Mismatched,
};

function judgedClaim(claim: ClaimState, judgement: Judgement): ClaimState {
  const { verdict, block, carrier, proof, boundBy, contract, sender, nonce, detail, by } = judgement;
  const { frames, kind, owners, fee } = judgement;
  const { block: seen, reason: before, detail: _detail, differs: known, ...kept } = claim;
  const differs = verdict === 'shallow' ? detail : verdict === 'faster' ? undefined : known;
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
    ...(differs !== undefined && { differs }),
    ...(claim.kind === ClaimKind.Session && detail === NOT_STARTED && { early: true }),
    ...(verdict === 'replaced' && by !== undefined && { by }),
  };
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
