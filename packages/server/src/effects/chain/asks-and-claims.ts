/** What looks at the chain ask of asks and claims. */
import type { AskState, ClaimState } from '@handover/core';

const AWAITING: readonly AskState['standing'][] = ['open', 'unclear', 'quiet'];

/** Somebody waits for what its wallet did. Of any other it may only turn out that it was signed after all. */
export const isAwaiting = ({ standing }: AskState): boolean => AWAITING.includes(standing);

/** A page said that this is what its wallet gave. What the server found by itself was told by nobody. */
export const isTold = ({ value, standing, source }: ClaimState, ...names: readonly unknown[]): boolean =>
  standing === 'open' && names.includes(value) && (source === 'page' || source === 'holder');
