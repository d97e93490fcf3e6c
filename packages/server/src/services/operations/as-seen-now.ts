import { ClaimStanding, type ClaimState, type OperationState } from '@handover/core';
import type { OperationDependencies } from './dependencies.js';

/**
 * A record as it is shown with the RPCs of now: while its chain cannot be looked at, what has no other reason waits for that;
 * without an RPC nobody looks, whatever was so when it was made.
 */
export function asSeenNow(
  { chains, chainTroubles }: Pick<OperationDependencies, 'chains' | 'chainTroubles'>,
  state: OperationState,
): OperationState {
  const { chainId } = state;
  const watched = chains.reads(chainId);
  const trouble = watched ? chainTroubles.of(chainId) : undefined;
  if (!trouble) return watched === state.watched ? state : { ...state, watched };
  const explained = (claim: ClaimState): ClaimState =>
    claim.standing === ClaimStanding.Open && claim.reason === undefined
      ? { ...claim, reason: trouble.code }
      : claim;
  return {
    ...state,
    watched,
    steps: state.steps.map((step) => ({ ...step, claims: step.claims.map(explained) })),
  };
}
