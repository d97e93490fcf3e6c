/**
 * For which asks the server looks for what nobody told. Whatever was claimed does not end the search unless it is seen to
 * be what was asked for: a mistyped hash, a stranger's or a failed transaction say nothing about what else was signed.
 */
import {
  AskStanding,
  type AskState,
  ClaimStanding,
  type ClaimState,
  type OperationFacts,
  type StepFacts,
} from './state.js';
import { ClaimSource, ReasonCode } from './words.js';

/** A wallet's word that nothing was signed. */
const DENIED: readonly AskStanding[] = [AskStanding.Refused, AskStanding.NotOpened];

export function isSought(
  { id, steps, standing }: Pick<AskState, 'id' | 'steps' | 'standing'>,
  step: Pick<StepFacts, 'id' | 'claims'>,
): boolean {
  if (!steps.includes(step.id) || DENIED.includes(standing)) return false;
  const own = step.claims.filter((claim) => claim.ask === id);
  // A record of 0.1.0 does not say which claim answered.
  if (standing === AskStanding.Claimed && own.length === 0) return false;
  return own.every(showsNothing);
}

export const isSoughtAtAll = ({ steps }: Pick<OperationFacts, 'steps'>, ask: AskState): boolean =>
  steps.some((step) => isSought(ask, step));

function showsNothing(claim: ClaimState): boolean {
  switch (claim.standing) {
    case ClaimStanding.Done:
    case ClaimStanding.Different:
      return false;
    case ClaimStanding.Nothing:
    case ClaimStanding.Aside:
      return true;
    case ClaimStanding.Open:
      return !isSeen(claim) || claim.differs !== undefined || isDoubted(claim);
  }
}

/** A node has known it. What the server found by itself was on the chain. */
export const isSeen = ({ nonce, block, carrier, source }: ClaimState): boolean =>
  nonce !== undefined ||
  block !== undefined ||
  carrier !== undefined ||
  source === ClaimSource.Nonce ||
  source === ClaimSource.Logs;

const DOUBTS: readonly ReasonCode[] = [
  ReasonCode.SenderUnbound,
  ReasonCode.InnerCallUnproven,
  ReasonCode.Dropped,
];
const isDoubted = ({ reason }: ClaimState): boolean => reason !== undefined && DOUBTS.includes(reason);
