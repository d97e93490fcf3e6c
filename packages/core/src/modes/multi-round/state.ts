/** State of the multi-round mode: the digest of the value that each participant holds. The values stay in the payloads. */
import { type Branch, treeEntries } from '../tree.js';

export interface MultiRoundState {
  readonly round: number;
  /** By participant. */
  readonly values: Branch<string>;
  /** How many participants hold a value. */
  readonly holders: number;
  readonly converged: boolean;
}

export const NO_VALUES: MultiRoundState = { round: 0, values: undefined, holders: 0, converged: false };

export function areEqual(values: Branch<string>): boolean {
  if (!values) return false;
  for (const [, digest] of treeEntries(values)) if (digest !== values.value) return false;
  return true;
}
