/** What looks at the chain ask of asks and claims. */
import type { AskState, ClaimState } from '@handover/core';

const AWAITING: readonly AskState['standing'][] = ['open', 'unclear', 'quiet'];

/** Somebody waits for what its wallet did. Of any other it may only turn out that it was signed after all. */
export const isAwaiting = ({ standing }: AskState): boolean => AWAITING.includes(standing);

/**
 * A page said that this is what its wallet gave. Of what owners signed, the transaction that carries it is another name.
 * What the server found by itself was told by nobody.
 */
export const isTold = (claim: ClaimState, ...names: readonly unknown[]): boolean =>
  toldNames(claim).some((name) => names.includes(name));

/** By which names a page told it, or may be said to have; none, if no page did. */
export const toldNames = ({ value, carrier, standing, source }: ClaimState): readonly string[] =>
  standing === 'open' && (source === 'page' || source === 'holder')
    ? [value, ...(carrier === undefined ? [] : [carrier])]
    : [];
