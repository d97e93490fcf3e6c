/** What a wallet gave, and what the chain says of it. */
import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import { askFor, isForgotten, isNamed } from './claims-of-asks.js';
import type { Judgement, NewClaim, OperationCommand } from './command.js';
import { operationDraft } from './draft.js';
import { OperationEntryType } from './entry-type.js';
import { claimFacts, judgementFacts } from './facts.js';
import { operationConflict, operationExpired, operationFlaw } from './refusals.js';
import { ClaimStanding, type ClaimState, type OperationState, reportUntil } from './state.js';
import { ClaimSource, Verification } from './words.js';

/** Of those that were told. What the server finds by itself is never one too many: junk must not shut it out. */
const MAX_CLAIMS = 16;
/** Claims without a step, of a page that names none. */
const MAX_LOOSE = 512;

export function decideClaim(state: OperationState, claim: NewClaim, stamp: Stamp): Decision {
  if (stamp.at > reportUntil(state)) return rejected(operationExpired());
  const step = state.steps.find(({ id }) => id === claim.step);
  if (claim.step !== undefined && !step) return rejected(operationFlaw('stepId names no step'));
  const asked = state.asks.find(({ id }) => id === claim.ask);
  if (claim.ask !== undefined && !(asked && step && asked.steps.includes(step.id)))
    return rejected(operationFlaw('askId is not of this step'));
  const known = step?.claims ?? state.loose;
  if (known.some((one) => isNamed(one, claim.value) && !isForgotten(one))) return accepted();
  if (isTold(claim) && known.filter(isTold).length >= (step ? MAX_CLAIMS : MAX_LOOSE))
    return rejected(operationConflict(state, 'LIMIT: too many claims were made for it'));
  const ask = askFor(state, claim);
  const facts = claimFacts({ ...claim, ...(ask !== undefined && { ask }) });
  return accepted(operationDraft(OperationEntryType.Claimed, stamp, facts));
}

const isTold = ({ source }: Pick<NewClaim, 'source'>): boolean =>
  source === ClaimSource.Page || source === ClaimSource.Holder;

/** About one claim. If that claim is settled, or is gone, it changes nothing; the same news again adds none. */
export function decideJudge(state: OperationState, judgement: Judgement, stamp: Stamp): Decision {
  const { step: id, value, serves } = judgement;
  const claims = id === undefined ? state.loose : (state.steps.find((step) => step.id === id)?.claims ?? []);
  const claim = claims.find((one) => isNamed(one, value));
  if (!claim || claim.standing !== ClaimStanding.Open || !isNews(claim, judgement)) return accepted();
  if (serves !== undefined && !state.steps.some((step) => step.id === serves)) return accepted();
  return accepted(operationDraft(OperationEntryType.Judged, stamp, judgementFacts(judgement)));
}

function isNews(claim: ClaimState, judgement: Judgement): boolean {
  const { verdict, block, nonce, reason, detail, by, kind, owners } = judgement;
  // It is known what the value is, or how many owners it waits for.
  if (kind !== undefined && kind !== claim.kind) return true;
  if (owners !== undefined && owners !== claim.owners) return true;
  // From now on it can be found by its number.
  if (nonce !== undefined && claim.nonce === undefined) return true;
  switch (verdict) {
    case 'pending': {
      // A receipt that was lost stays lost until there is another.
      if (claim.verification === Verification.Reorged && !block && reason === undefined) return false;
      const isSame =
        claim.verification === Verification.Pending && claim.reason === reason && claim.detail === detail;
      return !isSame || (block !== undefined && claim.block?.hash !== block.hash);
    }
    case 'reorged':
      return claim.block !== undefined;
    case 'shallow':
      return claim.verification !== Verification.Mismatched || claim.detail !== detail;
    case 'faster':
      return by !== undefined && by !== claim.value;
    case 'matched':
    case 'reverted':
    case 'replaced':
    case 'different':
    case 'aside':
      return true;
  }
}

export function decideJudgeResult(
  state: OperationState,
  command: Extract<OperationCommand, { readonly kind: 'judgeResult' }>,
  stamp: Stamp,
): Decision {
  const { digest, verdict, shown, reason } = command;
  const { result } = state;
  if (
    result?.digest !== digest ||
    result.verification === Verification.Matched ||
    (result.verification === verdict && result.reason === reason)
  )
    return accepted();
  const steps = verdict === Verification.Matched ? shown : [];
  const facts = { result: digest, verdict, shown: [...steps], ...(reason !== undefined && { reason }) };
  return accepted(operationDraft(OperationEntryType.Verified, stamp, facts));
}
