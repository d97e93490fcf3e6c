import { ClaimStanding, type ClaimState, type OperationState } from '@handover/core';
import type { ChainTrouble } from '../../observe/chain-troubles.js';

/** A record as it is shown while its chain cannot be looked at: what has no other reason waits for that. */
export function withTrouble(state: OperationState, trouble: ChainTrouble | undefined): OperationState {
  if (!trouble) return state;
  const { code: reason } = trouble;
  const explained = (claim: ClaimState): ClaimState =>
    claim.standing === ClaimStanding.Open && claim.reason === undefined ? { ...claim, reason } : claim;
  return {
    ...state,
    steps: state.steps.map((step) => ({ ...step, claims: step.claims.map(explained) })),
  };
}
