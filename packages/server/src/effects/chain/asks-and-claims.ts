/** What looks at the chain ask of asks and claims. */
import type { AskState, ClaimState } from '@handover/core';

const UNANSWERED: readonly AskState['standing'][] = [
  'open',
  'unclear',
  'quiet',
  'not_signed',
  'gone',
  'lapsed',
];

/** It may have been signed, and nobody has said with what result. */
export const isUnanswered = ({ standing }: AskState): boolean => UNANSWERED.includes(standing);

/** A page said that this is what its wallet gave. What the server found by itself was told by nobody. */
export const isTold = ({ value, standing, source }: ClaimState, ...names: readonly unknown[]): boolean =>
  standing === 'open' && names.includes(value) && (source === 'page' || source === 'holder');
